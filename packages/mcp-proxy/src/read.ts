import { type DenyVerdict, failClosedDeny } from "@svc/contract/verdict";

/** What a reader yields: the value, or the flagged deny that answers at once. */
export type Read<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly deny: DenyVerdict };

export function read<T>(value: T): Read<T> {
  return { ok: true, value };
}

/** `where` names the header or member at fault. */
export function malformed(where: string, expected: string): { ok: false; deny: DenyVerdict } {
  return refuse(failClosedDeny("request_malformed", `${where}: expected ${expected}.`));
}

export function refuse(deny: DenyVerdict): { ok: false; deny: DenyVerdict } {
  return { ok: false, deny };
}
