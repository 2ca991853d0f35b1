import { ANONYMOUS, keyIdOf, type Principal } from "@svc/contract/principal";
import { problem } from "@svc/contract/problem";
import type { KeyChange, StoredKey } from "@svc/store/ports/key-store";
import type { Refusal } from "../refusal.ts";
import { type KeyChangeFacts, keyRow } from "./key-row.ts";

/** The parts of every change of this key by this principal. The row belongs to the key's organization. */
export function keyChange(
  key: StoredKey,
  principal: Principal,
  { action, time, ...rest }: Omit<KeyChangeFacts, "org" | "principal">,
): KeyChange {
  const facts = { org: key.org, principal: principal.id, action, time, ...rest };
  return {
    org: key.org,
    auditRow: keyRow(key, facts),
    actor: principal.id === ANONYMOUS ? null : keyIdOf(principal),
    at: time,
  };
}

/** The answer when the key that asks ended before its change took place. */
export const ACTOR_ENDED: Refusal = {
  kind: "problem",
  problem: problem("unauthenticated", "The key of this request was revoked or has expired meanwhile."),
};
