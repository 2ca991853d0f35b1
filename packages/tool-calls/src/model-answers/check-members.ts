import type { JsonObject, JsonValue } from "@svc/contract/json-value";
import { confusableWith } from "../confusables.ts";
import { malformed, ok, type Result } from "../result.ts";

/** What a part of an answer may be made of, as far as calls can be in it. */
export interface KnownMembers {
  /** Names of the part in messages. */
  readonly where: string;
  /** Members that are read. A name that some client could take for one of them is refused. */
  readonly known: readonly string[];
  /** Members in which clients of other interfaces look for calls: what is there must be empty or a text. */
  readonly foreign: readonly string[];
}

/**
 * Refuses what could hold a call unseen: members that look like those that are read, and those of another
 * interface. Members that are neither pass.
 */
export function checkMembers(part: JsonObject, { where, known, foreign }: KnownMembers): Result<null> {
  const keys = Object.keys(part);
  const imitated = confusableWith(keys, known) ?? confusableWith(keys, foreign);
  if (imitated !== null) return malformed(where, `${imitated} under its own name`, "a look-alike");
  const stranger = foreign.find((name) => !isCallless(part[name]));
  return stranger === undefined ? ok(null) : malformed(where, `no ${stranger}`, "one");
}

/** Refuses a part of a type that is not listed: it may be a call. */
export function checkType(part: JsonObject, types: ReadonlySet<string>, where: string): Result<null> {
  const { type } = part;
  return typeof type === "string" && types.has(type)
    ? ok(null)
    : malformed(`${where}.type`, "a known type, because another may be a call", "another");
}

/** Calls are lists or objects, and providers fill members of other interfaces with empty ones. */
function isCallless(value: JsonValue | undefined): boolean {
  return typeof value !== "object" || value === null || Object.keys(value).length === 0;
}
