import type { EndedLogins } from "@svc/contract/ended-logins";
import type { RevokedKey } from "@svc/contract/key";
import { MAX_PAGE_SIZE } from "@svc/contract/limits";
import { isPerson } from "@svc/contract/person-id";
import { keyIdOf, type Principal } from "@svc/contract/principal";
import type { StoredKey } from "@svc/store/ports/key-store";
import type { Page, PageRequest } from "@svc/store/ports/page";
import { readPage } from "../call-store.ts";
import type { KeyPorts } from "../keys/issue-key.ts";
import { revokeKey } from "../keys/revoke-key.ts";
import { type Outcome, refuse } from "../refusal.ts";

/**
 * Ends every login of a person: those of browsers and of svc-cli. Each key has a row of its own. A login that
 * begins meanwhile goes on, and a repeat changes nothing.
 */
export async function endLoginsOf(
  ports: KeyPorts,
  principal: Principal,
  person: string,
): Promise<Outcome<EndedLogins>> {
  const found = await loginsOf(ports, principal.org, person);
  if (found.kind === "problem") return found;
  if (found.value.length === 0)
    return refuse(
      "not_found",
      `No login of ${person} is known. GET keys lists logins, with the person in created_by.`,
    );
  const nowMs = ports.clock.now().getTime();
  const ended: RevokedKey[] = [];
  // The key of the request comes last: the others end by it.
  const own = keyIdOf(principal);
  const logins = found.value.toSorted((one, other) => Number(one.id === own) - Number(other.id === own));
  for (const { id, revoked_at, expires_at } of logins) {
    if (revoked_at !== null || Date.parse(expires_at ?? "") <= nowMs) continue;
    const outcome = await revokeKey(ports, principal, id);
    if (outcome.kind === "problem") return outcome;
    ended.push(outcome.value);
  }
  return {
    kind: "ok",
    value: {
      person,
      key_ids: ended.map(({ id }) => id),
      enforced: ended.every(({ enforced }) => enforced),
    },
  };
}

/** Keys of logins, also those that have ended. */
async function loginsOf(
  ports: Pick<KeyPorts, "log" | "keys">,
  org: string,
  person: string,
): Promise<Outcome<readonly StoredKey[]>> {
  const logins: StoredKey[] = [];
  let after: string | null = null;
  do {
    const page: PageRequest = { limit: MAX_PAGE_SIZE, after };
    const found: Outcome<Page<StoredKey>> = await readPage(ports, page, () => ports.keys.keys(org, page));
    if (found.kind === "problem") return found;
    logins.push(
      ...found.value.items.filter(
        ({ origin, identity }) =>
          origin === "login" && identity !== undefined && isPerson(person, identity.issuer, identity.subject),
      ),
    );
    after = found.value.next;
  } while (after !== null);
  return { kind: "ok", value: logins };
}
