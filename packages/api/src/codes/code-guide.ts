import type { ReasonCode } from "@svc/contract/verdict";
import { APPROVAL_GUIDE } from "./approval-guide.ts";

/** What a code means and what to do, as Markdown for people. Links are relative to docs/. */
export interface CodeGuide {
  readonly meaning: string;
  /** Null: nothing can be done, because no version answers the code yet. */
  readonly remedy: string | null;
}

export interface ReasonGroup {
  readonly title: string;
  readonly codes: Readonly<Partial<Record<ReasonCode, CodeGuide>>>;
}

/** Every reason code, by who answers it. */
export const REASON_GUIDE: readonly ReasonGroup[] = [
  {
    title: "Decided by the gateway",
    codes: {
      kill_switch: {
        meaning: "An active kill switch stops this call; `kill_switch_id` names it",
        remedy: "See [RUNBOOK.md](RUNBOOK.md#undo). Do not retry before the switch ends",
      },
      confusable: {
        meaning:
          "A name in the call looks like one that a kill switch, a registration or a policy names, and is " +
          "another one: letters of another script, another dash or connecting character, or raised, " +
          "circled or wide letters stand in it",
        remedy:
          "Write the name that `reason` gives. If both names are meant, register the agent under the " +
          "name of the call, or give one of them a name that looks different",
      },
      severity_emergency: {
        meaning:
          "Rogue detection terminated the session that the call names (severity EMERGENCY). A call that " +
          "names no session is denied while any session of its agent is terminated",
        remedy:
          "Find out what the agent does. An operator must register it again: " +
          "`POST /api/v1/agents/<id>/reregister`. See [ROGUE.md](ROGUE.md#calls-without-a-session)",
      },
      agent_suspended: {
        meaning:
          "Rogue detection suspends the session that the call names (severity CRITICAL), and the call is " +
          "held. A call that names no session is held while any session of its agent is suspended. " +
          "The page at `approval_url` says what happens next; nobody can approve the call",
        remedy: "Let the agent send heartbeats and authenticate again, then repeat the call",
      },
      held_calls_full: {
        meaning:
          "As `agent_suspended`, but as many calls of the agent are held as may be, so this one is denied",
        remedy: "As for `agent_suspended`",
      },
      namespace_mismatch: {
        meaning:
          "The agent is registered in another namespace than the one that the call names, or it was moved " +
          "while the call was judged: `reason` says which",
        remedy:
          "Leave `namespace` out, or name that of the registration. To move the agent, send " +
          "`PATCH /api/v1/agents/<id>`. After a move, repeat the call",
      },
      agent_quarantined: {
        meaning:
          "The agent is in quarantine: it may call only what its policy allows and lists in " +
          "`tools.read_only`",
        remedy:
          "Find out what the agent does, then lift the quarantine: `DELETE /api/v1/agents/<id>/quarantine`",
      },
      no_policy: {
        meaning: "No policy is bound to this agent or its namespace, or the bound one is disabled",
        remedy:
          "`reason` says which. [Load a policy](POLICY.md#load-a-policy), assign one, or enable the " +
          "disabled one. Compare the spelling of the agent",
      },
      tool_denied: {
        meaning: "The tool matches `tools.denied`",
        remedy: "Change the policy, if the call should pass",
      },
      rule: {
        meaning:
          "The rule `rule_id` denies this call. If a field was missing or had the wrong type, " +
          "`reason` says so",
        remedy: "Change the arguments, or the rule",
      },
      not_allowed: {
        meaning: "Nothing in the policy allows the tool, and `fail_closed` is true",
        remedy: "Add the tool to `tools.allowed`",
      },
      session_required: {
        meaning: "The policy limits sessions, and the call names none",
        remedy:
          "Send `session_id`, or at an adapter the header that `reason` names. For MCP clients that name " +
          "no session set `SVC_MCP_SESSION_FALLBACK=client` at `svc-mcp-proxy`",
      },
      max_steps: {
        meaning: "The session has used its `max_steps`",
        remedy: "Start a new session, or raise the limit",
      },
      max_cost: {
        meaning: "The session would exceed `max_usd_per_session`",
        remedy: "Start a new session, or raise the limit",
      },
      constraint_unsatisfiable: {
        meaning: "The arguments cannot be rewritten as the policy asks",
        remedy: "Compare the arguments with the rule `rule_id`",
      },
      ...APPROVAL_GUIDE,
      rego: {
        meaning:
          "The Rego module of the policy denies this call, and `reason` has its messages. Without " +
          "`rule_id` the module could not be evaluated, and `reason` names the fault",
        remedy:
          "Change the arguments, or the module. A fault such as `rego_timeout` is in the chapter Rego of " +
          "[POLICY.md](POLICY.md#when-a-module-fails)",
      },
    },
  },
  {
    title: "Fault: the gateway could not decide",
    codes: {
      policy_unloadable: {
        meaning: "The gateway cannot compile the policy that is bound",
        remedy: "Load a version that this server accepts, or roll back",
      },
      policy_loading: {
        meaning:
          "The policy of this agent is not compiled yet: the gateway has just started, or the " +
          "agent was just bound",
        remedy: "Repeat the call. If it lasts, see [OPERATIONS.md](OPERATIONS.md#when-something-fails)",
      },
      session_contended: {
        meaning:
          "Other calls of the same session kept changing its usage, or its usage could not be read in time",
        remedy: "Retry; send fewer calls of one session at once",
      },
      control_state_unverified: {
        meaning: "The gateway cannot prove that it knows every kill switch and policy",
        remedy:
          "Wait: it recovers by itself when the store answers. See " +
          "[OPERATIONS.md](OPERATIONS.md#when-something-fails)",
      },
      audit_unavailable: {
        meaning: "The audit row could not be written in time",
        remedy: "Check the disk or the database",
      },
      internal_error: {
        meaning: "The service or an adapter failed",
        remedy: "The log has the error; report it",
      },
    },
  },
  {
    title: "Fault: the adapter got no verdict",
    codes: {
      gateway_unreachable: {
        meaning: "The connection failed (DNS, TLS, refused)",
        remedy: "Check `SVC_GATEWAY_URL` and the network path",
      },
      decision_timeout: {
        meaning: "No answer within `SVC_DECISION_TIMEOUT_MS`",
        remedy: "Check the load of the gateway",
      },
      gateway_refused: {
        meaning: "The gateway answered another status than 200",
        remedy: "Do what `reason` says. Check `SVC_API_KEY`; the log of an adapter has the status",
      },
      verdict_unreadable: {
        meaning: "The answer was not a readable verdict",
        remedy: "Check what stands between adapter and gateway",
      },
      adapter_overloaded: {
        meaning: "The adapter has reached its limit of calls in flight, of all agents or of this one",
        remedy: "Wait for answers; send fewer calls at once",
      },
    },
  },
  {
    title: "Refused by an adapter",
    codes: {
      agent_unknown: {
        meaning: "No source says which agent calls",
        remedy: "Set `SVC_AGENT_ID`, let the proxy set `X-Svc-Agent-Id`, or send `agent_id` to `/verdict`",
      },
      request_malformed: {
        meaning: "The adapter cannot read the call, or could read it in two ways",
        remedy: "`reason` names the place. Send strict JSON and each header once",
      },
      shaping_unsupported: {
        meaning: "The policy rewrites arguments, and this integration cannot carry the rewrite",
        remedy:
          "Remove the rewrite for this tool, or use an integration that can: [adapters/](adapters/README.md)",
      },
      tool_changed: {
        meaning:
          "The definition of an MCP tool differs from the one that was first seen, or a tool of OpenAI " +
          "Agents was disabled after the model asked for it",
        remedy:
          "Review the tool. To accept it, remove it from the file `SVC_MCP_TOOL_PINS_FILE`, if you " +
          "set one, and restart `svc-mcp-proxy`",
      },
      task_unknown: {
        meaning: "This agent did not begin the MCP task that the call names",
        remedy: "Use the task id that the call of this agent returned",
      },
    },
  },
];
