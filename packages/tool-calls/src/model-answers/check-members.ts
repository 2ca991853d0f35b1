import type { JsonObject, JsonValue } from "@svc/text/json-value";
import { confusableWith } from "../confusables.ts";
import { malformed, ok, type Result } from "../result.ts";

/** The members of a part of an answer, as far as they can hold calls. */
export interface KnownMembers {
  /** Names of the part in messages. */
  readonly where: string;
  /** Members that are read. A name that some client could take for one of them is refused. */
  readonly known: readonly string[];
  /** Members in which clients of other interfaces look for calls. They must be empty or a text. */
  readonly foreign: readonly string[];
}

/**
 * Refuses members that could hold a hidden call: look-alikes of the known members, and members of another
 * interface. All other members pass.
 */
export function checkMembers(part: JsonObject, { where, known, foreign }: KnownMembers): Result<null> {
  const keys = Object.keys(part);
  const imitated = confusableWith(keys, known) ?? confusableWith(keys, foreign);
  if (imitated !== null) return malformed(where, `${imitated} under its own name`, "a look-alike");
  const stranger = foreign.find((name) => !isCallless(part[name]));
  return stranger === undefined ? ok(null) : malformed(where, `no ${stranger}`, "a value in it");
}

/** Refuses a part of a type that is not listed: it may be a call. */
export function checkType(part: JsonObject, types: ReadonlySet<string>, where: string): Result<null> {
  const { type } = part;
  return typeof type === "string" && types.has(type)
    ? ok(null)
    : malformed(`${where}.type`, "a known type, because another may be a call", "another type");
}

/**
 * Whether a value holds no call. Calls are lists or objects, and providers send empty ones in members
 * of other interfaces.
 */
function isCallless(value: JsonValue | undefined): boolean {
  return typeof value !== "object" || value === null || Object.keys(value).length === 0;
}
