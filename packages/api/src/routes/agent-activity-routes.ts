import {
  agentActivitySchema,
  BUSY_SORTS,
  busyAgentsSchema,
  DEFAULT_BUSY_AGENTS,
  MAX_BUSY_AGENTS,
} from "@svc/contract/agent-activity";
import { timeParameter } from "@svc/contract/audit-query";
import { choiceParameter, integerParameter } from "@svc/contract/query-parameter";
import { isTimeOrder, TIME_ORDER_REFUSAL } from "@svc/text/time-order";
import { z } from "zod";
import { route } from "../route.ts";

const READS = {
  method: "GET",
  tag: "Agents",
  access: { kind: "scope", scope: "audit:read" },
  rateClass: "read",
} as const;

const INDEXED = { complete: true, behind: [] } as const;

const TIMES = { first_at: "2026-11-22T08:41:09.004Z", last_at: "2026-11-22T09:41:07.123Z" } as const;

const COUNTS = { deny: 40, pause: 0, allow: 1_460, withdrawn: 0 } as const;

export const agentActivityRoutes = {
  listBusyAgents: route({
    ...READS,
    path: "/agents/top",
    summary: "List the busiest agents",
    description:
      "Agents that called since a time, by the audit log: calls a minute, denies, pauses, cost and " +
      "sessions, beside the same of the hour before. Those with most calls are first, or with most of " +
      "what `sort` names. An agent with the id `top` is read at `agents/%74op`.",
    query: z.strictObject({
      since: timeParameter(
        "The start of the time: of the last 24 hours, widened to a whole minute. Absent: five minutes ago.",
      ),
      sort: choiceParameter(BUSY_SORTS, "calls").describe("What is listed first."),
      limit: integerParameter({ min: 1, max: MAX_BUSY_AGENTS })
        .default(DEFAULT_BUSY_AGENTS)
        .describe("Agents in the answer."),
    }),
    answers: {
      200: {
        description: "The busiest agents.",
        schema: busyAgentsSchema,
        example: {
          since: "2026-11-22T09:36:00.000Z",
          until: "2026-11-22T09:41:07.500Z",
          before: "2026-11-22T08:36:00.000Z",
          known_since: "2026-11-01T07:00:00.000Z",
          agents: [
            {
              agent_id: "refund-bot",
              namespace: "payments",
              calls: 1_500,
              calls_per_minute: 292.68,
              deny: 40,
              pause: 0,
              cost_usd: "15",
              sessions: 2,
              busiest_minute: 1_180,
              before: { calls: 60, calls_per_minute: 1, deny: 0, pause: 0, cost_usd: "0.6", sessions: 1 },
            },
          ],
          callers: 1,
          counted_all: true,
          indexed: INDEXED,
        },
      },
    },
    problems: ["too_many_requests"],
  }),
  getAgentActivity: route({
    ...READS,
    path: "/agents/{agent_id}/activity",
    summary: "Sum up what an agent did",
    description:
      "The calls of one agent in a time by tool, session and rule, the sums of their numeric arguments, " +
      "and samples. Counts are those of the newest 50,000 calls of the time; `counted_all` says whether " +
      "these are all.",
    params: z.strictObject({ agent_id: z.string().describe("The agent.") }),
    query: z
      .strictObject({
        since: timeParameter("The start of the time. Absent: an hour before its end."),
        until: timeParameter("The end of the time, which is left out. Absent: now."),
      })
      .refine(isTimeOrder, TIME_ORDER_REFUSAL),
    answers: {
      200: {
        description: "What the agent did.",
        schema: agentActivitySchema,
        example: {
          agent_id: "refund-bot",
          since: "2026-11-22T08:41:07.500Z",
          until: "2026-11-22T09:41:07.501Z",
          ...COUNTS,
          ...TIMES,
          tools: [{ tool: "payments.refund", ...COUNTS, ...TIMES }],
          tools_left_out: 0,
          sessions: [{ session_id: "s-81", ...COUNTS, ...TIMES }],
          sessions_left_out: 0,
          verdicts: [
            {
              decision: "deny",
              rule_id: "no-large-refunds",
              reason: "refund over 500 USD",
              reason_code: "rule",
              calls: 40,
              withdrawn: 0,
              ...TIMES,
            },
          ],
          verdicts_left_out: 0,
          arguments: [
            {
              tool: "payments.refund",
              decision: "allow",
              argument: "amount",
              values: 1_460,
              sum: 73_000,
              min: 20,
              max: 500,
            },
          ],
          arguments_left_out: 0,
          samples: [
            {
              decision_id: "gw_1f0c.41",
              time: TIMES.last_at,
              tool: "payments.refund",
              session_id: "s-81",
              decision: "deny",
              withdrawn: false,
              reason: "refund over 500 USD",
              args: { amount: 900, order: "A-7" },
            },
          ],
          read_calls: 1_500,
          counted_all: true,
          indexed: INDEXED,
        },
      },
    },
    problems: ["not_found", "too_many_requests"],
  }),
} as const;
