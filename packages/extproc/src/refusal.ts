import { type DenyVerdict, failClosedDeny, type ReasonCode } from "@svc/contract/verdict";

/** What a reader of a message yields: the value, or the flagged deny that answers the message at once. */
export type Read<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly deny: DenyVerdict };

export function read<T>(value: T): Read<T> {
  return { ok: true, value };
}

/** Refuses a message that does not have the expected form. `where` names the header or field at fault. */
export function malformed(where: string, expected: string, found: string): { ok: false; deny: DenyVerdict } {
  return refused("request_malformed", `${where}: expected ${expected}, found ${found}.`);
}

export function refused(code: ReasonCode, reason: string): { ok: false; deny: DenyVerdict } {
  return { ok: false, deny: failClosedDeny(code, reason) };
}
