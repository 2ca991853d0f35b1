import { type DenyVerdict, failClosedDeny, type ReasonCode } from "@svc/contract/verdict";

/** The result of a step of an adapter: a value, or the flagged deny that answers the call. */
export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly deny: DenyVerdict };

export function ok<T>(value: T): Result<T> {
  return { ok: true, value };
}

/** Refuses what does not have the expected form. `where` names the header, field or member at fault. */
export function malformed(where: string, expected: string, found?: string): { ok: false; deny: DenyVerdict } {
  const what = found === undefined ? expected : `${expected}, found ${found}`;
  return denied("request_malformed", `${where}: expected ${what}.`);
}

export function denied(code: ReasonCode, reason: string): { ok: false; deny: DenyVerdict } {
  return { ok: false, deny: failClosedDeny(code, reason) };
}
