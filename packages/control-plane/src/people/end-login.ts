import type { RevokedKey } from "@svc/contract/key";
import { keyIdOf, type Principal } from "@svc/contract/principal";
import { callStore, NOT_READ } from "../call-store.ts";
import type { KeyPorts } from "../keys/issue-key.ts";
import { revokeKey } from "../keys/revoke-key.ts";
import { type Outcome, refuse } from "../refusal.ts";

/** Ends the key of the request, when a login or a token gave it: nobody ends a lasting key by accident. */
export async function endLogin(ports: KeyPorts, principal: Principal): Promise<Outcome<RevokedKey>> {
  const id = keyIdOf(principal);
  const found = await callStore(ports, NOT_READ, () => ports.keys.key(id));
  if (found.kind === "problem") return found;
  const origin = found.value?.origin ?? null;
  if (origin === "login" || origin === "exchanged") return revokeKey(ports, principal, id);
  return refuse("conflict", `${id} is not a login. Keys are revoked with DELETE keys/{id}.`);
}
