import { isJsonObject, type JsonObject, type JsonValue } from "@svc/text/json-value";
import { parseUsd, USD_EXPECTATION } from "@svc/text/usd";
import { isName, NAME_EXPECTATION } from "../fields/name.ts";
import { fixOfName, nearestField } from "../fields/parse-with.ts";
import { type Parsed, refused } from "../fields/parsed.ts";
import type { ProblemEntry } from "../problems/problem.ts";
import { NO_SUCH_FIELD, problemEntry } from "../problems/problem-entry.ts";
import type { ExecuteRequest } from "./execute-request.ts";

const FIELDS: ReadonlySet<string> = new Set([
  "agent_id",
  "tool",
  "args",
  "session_id",
  "namespace",
  "cost_usd",
]);

/** Other names of the arguments and of the tool, as client libraries and protocols have them. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ["arguments", "args"],
  ["input", "args"],
  ["parameters", "args"],
  ["params", "args"],
  ["name", "tool"],
  ["tool_name", "tool"],
]);

const nearest = nearestField([...FIELDS]);

const NO_ARGS: JsonObject = Object.freeze(Object.create(null) as JsonObject);

/** Reads the body of an execute request. Unknown fields are refused: a misspelt one must not go unnoticed. */
export function parseExecuteRequest(value: JsonValue): Parsed<ExecuteRequest> {
  if (!isJsonObject(value)) return refused([problemEntry([], "an object", value)]);
  const errors: ProblemEntry[] = [];
  for (const field of Object.keys(value)) {
    if (!FIELDS.has(field)) errors.push(unknownField(field, value[field]));
  }
  const request: ExecuteRequest = {
    agent_id: requiredName(value, "agent_id", errors),
    session_id: optionalName(value, "session_id", errors),
    tool: requiredName(value, "tool", errors),
    args: argsOf(value, errors),
    namespace: optionalName(value, "namespace", errors),
    cost_micro_usd: costOf(value, errors),
  };
  return errors.length === 0 ? { ok: true, value: request } : refused(errors);
}

function ownMember(body: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(body, name) ? body[name] : undefined;
}

function unknownField(field: string, found: JsonValue | undefined): ProblemEntry {
  const meant = OTHER_NAMES.get(field.toLowerCase());
  const fix = meant === undefined ? nearest([field], found) : `did you mean ${meant}?`;
  const entry = problemEntry([field], NO_SUCH_FIELD, found);
  return fix === null ? entry : { ...entry, fix };
}

function requiredName(body: JsonObject, field: string, errors: ProblemEntry[]): string {
  const value = ownMember(body, field);
  if (typeof value === "string" && isName(value)) return value;
  const entry = problemEntry([field], NAME_EXPECTATION, value);
  const fix = fixOfName(NAME_EXPECTATION, value);
  errors.push(fix === null ? entry : { ...entry, fix });
  return "";
}

function optionalName(body: JsonObject, field: string, errors: ProblemEntry[]): string | null {
  return ownMember(body, field) === undefined ? null : requiredName(body, field, errors);
}

function argsOf(body: JsonObject, errors: ProblemEntry[]): JsonObject {
  const args = ownMember(body, "args");
  if (args === undefined) return NO_ARGS;
  if (isJsonObject(args)) return args;
  errors.push(problemEntry(["args"], "an object", args));
  return NO_ARGS;
}

function costOf(body: JsonObject, errors: ProblemEntry[]): number | null {
  const cost = ownMember(body, "cost_usd");
  if (cost === undefined) return null;
  const microUsd = parseUsd(cost);
  if (microUsd === null) errors.push(problemEntry(["cost_usd"], USD_EXPECTATION, cost));
  return microUsd;
}
