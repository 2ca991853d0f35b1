import type { SeamAnswer } from "./ask-seam.ts";
import { type Check, notOk, ok } from "./check.ts";
import type { SeenDecision } from "./seen-decisions.ts";

/** What is known when a seam is judged. */
interface SeamFacts {
  readonly answer: SeamAnswer;
  /** What a deny of the gateway holds; null: no switch stops the probe. */
  readonly proof: string | null;
}

/** What is known of a request at a proxy. */
interface HttpFacts extends SeamFacts {
  readonly decision: SeenDecision;
}

type Answered = Extract<SeamAnswer, { kind: "answered" }>;

/** Of `tools/call` at an MCP server, which svc-mcp-proxy should stand before. */
export function judgeMcp(name: string, { answer, proof }: SeamFacts): Check {
  if (answer.kind === "silent") return silent(name, answer.why);
  if (isProven(answer, proof))
    return ok(name, "the gateway denied the probe, and the MCP proxy refused the call");
  const denied = deniedBy(answer);
  if (denied !== null) return deniedOtherwise(name, denied, proof);
  if (isSuccess(answer))
    return notOk(
      name,
      "fail",
      "an MCP server answered the probe: calls at this address run without a verdict",
      "point MCP clients at svc-mcp-proxy, and let nobody else reach the server",
    );
  return notOk(name, "unknown", `it answered ${String(answer.status)}, and no deny`, CHECK_ADDRESS);
}

/** Of a request at a proxy with a hook, or at the hook itself. */
export function judgeHttp(name: string, { answer, proof, decision }: HttpFacts): Check {
  if (answer.kind === "silent") return silent(name, answer.why);
  if (isProven(answer, proof)) return ok(name, "the gateway denied the probe, and the request was refused");
  const { status } = answer;
  if (isSuccess(answer)) return judgePassed(name, status, decision);
  if (decision === "deny" || decision === "pause")
    return ok(name, `the gateway answered ${decision}, and the request was refused with ${String(status)}`);
  if (decision === "allow") return notOk(name, "unknown", "a policy allows this request", NAME_DENIED);
  if (hasDeny(answer)) return judgeUnprovenDeny(name, answer, proof);
  return notOk(name, "unknown", `it answered ${String(status)}, and no deny of Svc`, CHECK_ADDRESS);
}

/** Any server can answer like a deny. What the gateway said about this probe, it cannot know. */
function judgeUnprovenDeny(name: string, answer: Answered, proof: string | null): Check {
  const denied = deniedBy(answer);
  if (denied?.code === "request_malformed") return judgeUnread(name, answer);
  if (denied !== null) return deniedOtherwise(name, denied, proof);
  const found = "the request was refused with a deny that nothing proves";
  return notOk(name, "unknown", found, proof === null ? GIVE_SWITCH : NAME_DENIED);
}

/** The adapter says so of this request alone. Other paths may have a tool, and pass. */
function judgeUnread(name: string, { text }: Answered): Check {
  const isWithoutTool = /x-svc-tool: expected|No route of this adapter/.test(text);
  const why = isWithoutTool
    ? "the proxy names no tool for this path"
    : "it cannot read a GET of this path as a call";
  const found = `it denies, and the reason is request_malformed: ${why}`;
  return notOk(name, "unknown", found, "give an address whose path has a tool in your proxy's map");
}

function judgePassed(name: string, status: number, decision: SeenDecision): Check {
  const passed = `it answered ${String(status)}`;
  switch (decision) {
    case "none":
      return notOk(name, "fail", `${passed}, and nobody asked the gateway: it fails open`, COMPARE);
    case "deny":
    case "pause":
      return notOk(
        name,
        "fail",
        `${passed} although the gateway answered ${decision}: it fails open`,
        COMPARE,
      );
    case "allow":
      return notOk(name, "unknown", "a policy allows this request", NAME_DENIED);
    case "unseen":
      return notOk(
        name,
        "unknown",
        `${passed}, and the key may not read whether the gateway was asked`,
        NAME_DENIED,
      );
    default:
      return decision satisfies never;
  }
}

const COMPARE =
  "compare its configuration with the one that ships, and look for which paths it asks the hook";

const NAME_DENIED = "give an address whose GET the policy denies, and a key with the scope event:read";

/** Of the webhook that LLM gateways ask. They take every fault of it for a pass. */
export function judgeGuardrail(name: string, { answer, proof }: SeamFacts): Check {
  const open = (found: string): Check =>
    notOk(
      name,
      "fail",
      `${found}: LLM gateways take that for a pass`,
      "correct the address, and start svc-checkgw",
    );
  if (answer.kind === "silent") return open(`no answer came (${answer.why})`);
  if (!isSuccess(answer)) return open(`it answered ${String(answer.status)}`);
  if (isProven(answer, proof) && /"verdict"\s*:\s*false/.test(answer.text))
    return ok(name, "the gateway denied the probe, and the webhook blocks");
  if (/"verdict"\s*:\s*true/.test(answer.text)) {
    if (proof === null) return notOk(name, "unknown", "a policy allows the probe", GIVE_SWITCH);
    return notOk(name, "fail", "the webhook passes a call that a kill switch stops", CHECK_ADDRESS);
  }
  const denied = deniedBy(answer);
  return denied === null ? open("it answered without a verdict") : deniedOtherwise(name, denied, proof);
}

const CHECK_ADDRESS = "give the address at which clients reach the adapter or the proxy";

export const GIVE_SWITCH = "use a key that may activate kill switches, so that a probe is denied for certain";

/** Reasons that an adapter gives by itself, when it has no verdict. */
const WITHOUT_GATEWAY = /^(?:gateway_|agent_unknown|timeout|unreachable|unauthorized|fail_closed)/;

/** A deny that does not hold the proof. */
interface DeniedBy {
  readonly code: string;
  /** Of a deny by a kill switch, where the seam says so. */
  readonly switchId: string | null;
}

function deniedOtherwise(name: string, { code, switchId }: DeniedBy, proof: string | null): Check {
  const found = `it denies, and the reason is ${code}`;
  if (code === "agent_unknown")
    return notOk(name, "unknown", found, "name the agent of this adapter with --agent");
  if (WITHOUT_GATEWAY.test(code))
    return notOk(name, "warn", `${found}: it denies every call`, "look at the log of the adapter");
  if (code === "kill_switch") return stoppedBefore(name, switchId);
  if (proof === null) return notOk(name, "unknown", `${found}, and no switch stops the probe`, GIVE_SWITCH);
  return notOk(name, "unknown", `${found}, not the kill switch of the probe`, ANOTHER_AGENT);
}

const ANOTHER_AGENT = "name an agent with --agent that nothing else stops";

/** Another switch stops the agent of the probe: a deny then says nothing about the probe. */
export function stoppedBefore(name: string, switchId: string | null): Check {
  const stopped = switchId === null ? "another kill switch" : `kill switch ${switchId}`;
  const end = switchId === null ? "svc-cli kill list shows it" : `svc-cli unkill ${switchId} ends it`;
  return notOk(
    name,
    "unknown",
    `${stopped} stops this call already, so the probe proves nothing`,
    `${end}; or name another agent with --agent`,
  );
}

function silent(name: string, why: string): Check {
  return notOk(name, "unknown", `no answer came (${why})`, "start it, or correct the address");
}

/** Whether the answer holds what the gateway alone could say. */
function isProven(answer: SeamAnswer, proof: string | null): boolean {
  if (proof === null || answer.kind === "silent") return false;
  const { headers, text } = answer;
  return text.includes(proof) || [...headers.values()].some((value) => value.includes(proof));
}

function isSuccess({ status }: Answered): boolean {
  return status >= 200 && status < 300;
}

function hasDeny({ headers, text }: Answered): boolean {
  return headers.get("x-svc-decision") === "deny" || /"decision"\s*:\s*"deny"/.test(text);
}

function deniedBy({ text }: Answered): DeniedBy | null {
  const code = /\\?"reason_code\\?"\s*:\s*\\?"([a-z_]+)\\?"/.exec(text)?.[1];
  const switchId = /\\?"kill_switch_id\\?"\s*:\s*\\?"(ks_[A-Za-z0-9_]+)\\?"/.exec(text)?.[1] ?? null;
  return code === undefined ? null : { code, switchId };
}
