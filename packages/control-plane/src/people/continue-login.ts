import type { IssuedKey } from "@svc/contract/key";
import { keyIdOf, type Principal } from "@svc/contract/principal";
import { callStore, NOT_READ } from "../call-store.ts";
import { newShortKey } from "../keys/api-key.ts";
import { issueKey, type KeyPorts } from "../keys/issue-key.ts";
import { keyChange } from "../keys/key-change.ts";
import { type Outcome, refuse } from "../refusal.ts";

/** Gives a person a second key, for a program of theirs. It ends when the login would. */
export async function continueLogin(ports: KeyPorts, principal: Principal): Promise<Outcome<IssuedKey>> {
  const startedMs = ports.clock.nowMs();
  const found = await callStore(ports, NOT_READ, () => ports.keys.key(keyIdOf(principal)));
  if (found.kind === "problem") return found;
  const login = found.value;
  if (principal.person === undefined || login?.identity === undefined)
    return refuse("forbidden", "Only a person who has signed in with a provider gives a login to svc-cli.");
  const time = ports.clock.now().toISOString();
  const { id: _id, secrets: _secrets, revoked_at: _at, revoked_by: _by, ...same } = login;
  return issueKey(ports, {
    key: { ...same, created_at: time, created_by: principal.id },
    newKey: newShortKey,
    changeOf: (key) => keyChange(key, principal, { action: "signed_in", time }),
    note: ({ id: key_id, expires_at }) =>
      ports.log.info(
        { org: login.org, principal: principal.id, key_id, expires_at },
        "login given to svc-cli",
      ),
    startedMs,
  });
}
