import type { JsonObject, JsonValue } from "@svc/text/json-value";
import type { Field } from "../condition.ts";
import type { CallContext, GovernedCall } from "../evaluation.ts";
import { BLOCKED, type FieldPath, MISSING, memberOf, valueAt } from "./field-path.ts";

export type Found = JsonValue | typeof MISSING | typeof BLOCKED;

export type FieldReader = (call: GovernedCall) => Found;

export function compileField(field: Field): FieldReader {
  switch (field.kind) {
    case "args": {
      const path: FieldPath = field.path;
      return (call) => valueAt(call.args, path);
    }
    case "anywhere":
      return (call) => call.args;
    case "call":
      return compileCallField(field.name);
    case "time":
      return (call) => call.timeMs;
    case "usage":
      return field.name === "session.steps"
        ? (call) => usageOf(call).steps
        : (call) => usageOf(call).costMicroUsd;
  }
}

/**
 * For what judges presence. `BLOCKED`: a value on the way has a shape that could hide the field, such as a
 * list around the object that was expected. A null on the way hides nothing.
 */
export function compilePresence(field: Field): FieldReader {
  if (field.kind !== "args") return compileField(field);
  const path: FieldPath = field.path;
  return (call) => presentAt(call.args, path);
}

function presentAt(args: JsonObject, path: FieldPath): Found {
  let value: JsonValue = args;
  for (const segment of path.segments) {
    if (value === null) return MISSING;
    const next = memberOf(value, segment);
    if (next === MISSING || next === BLOCKED) return next;
    value = next;
  }
  return value;
}

function compileCallField(name: (Field & { kind: "call" })["name"]): FieldReader {
  switch (name) {
    case "agent_id":
      return (call) => call.agentId;
    case "session_id":
      return (call) => call.sessionId ?? MISSING;
    case "namespace":
      return (call) => call.namespace;
    case "tool":
      return (call) => call.tool;
  }
}

/** A caller that does not supply what the policy needs has a defect; guessing zero would be an allow. */
function usageOf({ context: { usage } }: GovernedCall): NonNullable<CallContext["usage"]> {
  if (usage === null) throw new Error("the policy reads the session's usage, and none was supplied");
  return usage;
}
