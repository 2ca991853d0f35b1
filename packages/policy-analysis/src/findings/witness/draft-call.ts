import type { GovernedCall } from "@svc/engine/evaluation";
import { BLOCKED, parseFieldPattern } from "@svc/engine/field-path";
import { changeAt, REMOVED } from "@svc/engine/set-at";
import type { JsonObject, JsonValue } from "@svc/text/json-value";
import type { Draft } from "../finding.ts";
import { textOf } from "../text-of.ts";
import type { Assignment } from "./assignments.ts";
import { ABSENT } from "./example-values.ts";

/** A Monday at noon. */
export const WITNESS_TIME_MS = Date.UTC(2026, 5, 1, 12);

export const WITNESS_AGENT = "agent-1";
export const WITNESS_SESSION = "session-1";
export const WITNESS_NAMESPACE = "default";

export const NO_USE = { steps: 0, costMicroUsd: 0 };

/** A call without arguments, in a session that has used nothing. */
export function plainCall(tool: string): GovernedCall {
  return {
    agentId: WITNESS_AGENT,
    sessionId: WITNESS_SESSION,
    namespace: WITNESS_NAMESPACE,
    tool,
    args: {},
    timeMs: WITNESS_TIME_MS,
    costMicroUsd: null,
    costIsTrusted: true,
    context: { usage: NO_USE },
  };
}

/** The call with further values, which stay as they are from now on. */
export function pinned({ call, pinned: names }: Draft, assignments: readonly Assignment[]): Draft {
  return {
    call: assigned(call, assignments, []),
    pinned: [...names, ...assignments.map(({ field }) => field)],
  };
}

/** The call with the values, save those of fields that are not to change. */
export function assigned(
  call: GovernedCall,
  assignments: readonly Assignment[],
  fixed: readonly string[],
): GovernedCall {
  return assignments.reduce((changed, assignment) => {
    const { field } = assignment;
    const isFixed = fixed.some(
      (name) => name === field || name.startsWith(`${field}.`) || field.startsWith(`${name}.`),
    );
    return isFixed ? changed : assignedOne(changed, assignment);
  }, call);
}

function assignedOne(call: GovernedCall, { field, value }: Assignment): GovernedCall {
  if (field === "args") return value === ABSENT ? call : { ...call, args: { ...call.args, note: value } };
  if (field.startsWith("args.")) {
    const args = assignedArgs(call.args, field, value);
    return args === null ? call : { ...call, args };
  }
  if (typeof value === "symbol") return field === "session_id" ? { ...call, sessionId: null } : call;
  return assignedContext(call, field, value);
}

function assignedArgs(args: JsonObject, field: string, value: JsonValue | typeof ABSENT): JsonObject | null {
  const pattern = parseFieldPattern(field);
  if (pattern === null) return null;
  // What stands below the first `*` becomes the only element of a list.
  const star = pattern.segments.findIndex((segment) => typeof segment === "string");
  const above = star === -1 ? pattern.segments : pattern.segments.slice(0, star);
  const segments = above.filter((segment) => typeof segment === "object");
  if (segments.length === 0) return null;
  const inner = star === -1 ? value : nested(value, pattern.segments.slice(star));
  const changed = changeAt(args, { text: field, segments }, () => (inner === ABSENT ? REMOVED : inner));
  return changed === BLOCKED ? null : changed;
}

type Segments = NonNullable<ReturnType<typeof parseFieldPattern>>["segments"];

function nested(value: JsonValue | typeof ABSENT, segments: Segments): JsonValue | typeof ABSENT {
  const [first, ...rest] = segments;
  if (first === undefined || value === ABSENT) return value;
  const inner = nested(value, rest);
  if (inner === ABSENT) return ABSENT;
  return typeof first === "string" ? [inner] : { [first.name]: inner };
}

function assignedContext(call: GovernedCall, field: string, value: JsonValue): GovernedCall {
  const usage = call.context.usage ?? NO_USE;
  switch (field) {
    case "agent_id":
      return { ...call, agentId: textOf(value) };
    case "session_id":
      return { ...call, sessionId: textOf(value) };
    case "tool":
      return { ...call, tool: textOf(value) };
    case "namespace":
      return { ...call, namespace: textOf(value) };
    case "time":
      return { ...call, timeMs: Date.parse(textOf(value)) };
    case "session.steps":
      return { ...call, context: { usage: { ...usage, steps: Math.max(0, Number(value)) } } };
    case "session.cost_usd":
      return {
        ...call,
        context: { usage: { ...usage, costMicroUsd: Math.max(0, Math.round(Number(value) * 1_000_000)) } },
      };
    default:
      return call;
  }
}
