import type { JsonObject, JsonValue } from "@svc/contract/json-value";
import type { GovernedCall } from "../evaluation.ts";
import type { Field } from "../policy-document.ts";
import { BLOCKED, type FieldPath, MISSING, memberOf, valueAt } from "./field-path.ts";

export type Found = JsonValue | typeof MISSING | typeof BLOCKED;

export type FieldReader = (call: GovernedCall) => Found;

export function compileField(field: Field): FieldReader {
  switch (field.kind) {
    case "args": {
      const path: FieldPath = field.path;
      return (call) => valueAt(call.args, path);
    }
    case "call":
      return compileCallField(field.name);
    case "usage":
      return field.name === "session.steps"
        ? (call) => usageOf(call).steps
        : (call) => usageOf(call).costMicroUsd;
  }
}

/**
 * Whether a field is there. `unsure`: a value on the way has a shape that could hide it, such as a list
 * around the object that was expected. A null on the way hides nothing.
 */
export function compilePresence(field: Field): (call: GovernedCall) => "holds" | "fails" | "unsure" {
  if (field.kind === "args") {
    const path: FieldPath = field.path;
    return (call) => presenceAt(call.args, path);
  }
  const read = compileField(field);
  return (call) => (read(call) === MISSING ? "fails" : "holds");
}

function presenceAt(args: JsonObject, path: FieldPath): "holds" | "fails" | "unsure" {
  let value: JsonValue = args;
  for (const segment of path.segments) {
    if (value === null) return "fails";
    const next = memberOf(value, segment);
    if (next === MISSING) return "fails";
    if (next === BLOCKED) return "unsure";
    value = next;
  }
  return "holds";
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

/** A caller that does not supply what `readsUsage` asks for has a defect; guessing zero would be an allow. */
function usageOf(call: GovernedCall): { readonly steps: number; readonly costMicroUsd: number } {
  if (call.usage === null) throw new Error("the policy reads the session's usage, and none was supplied");
  return call.usage;
}
