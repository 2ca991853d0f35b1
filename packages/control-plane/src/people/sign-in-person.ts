import { DEFAULT_ORG } from "@svc/contract/execute-request";
import type { IssuedKey } from "@svc/contract/key";
import { MAX_KEY_NAME_LENGTH } from "@svc/contract/limits";
import { personId } from "@svc/contract/person-id";
import type { Role } from "@svc/contract/role";
import { callStore, NOT_READ } from "../call-store.ts";
import { newShortKey } from "../keys/api-key.ts";
import { issueKey, type KeyPorts } from "../keys/issue-key.ts";
import { keyRow } from "../keys/key-row.ts";
import { type Outcome, refuse } from "../refusal.ts";

/** A person as an identity provider named them, with what the settings make of the claims. */
export interface SignedInPerson {
  readonly issuer: string;
  readonly subject: string;
  readonly name: string | null;
  readonly org: string;
  readonly groups: readonly string[];
  /** Never empty. The first is what lists show. */
  readonly roles: readonly [Role, ...Role[]];
}

/** Milliseconds that a login lasts. Then the provider is asked again whether the person may still come. */
export const LOGIN_MS = 60 * 60 * 1_000;

/** Gives a person a key for as long as the login lasts. The row of the key names the person. */
export async function signInPerson(
  ports: KeyPorts,
  { issuer, subject, name, org, groups, roles }: SignedInPerson,
): Promise<Outcome<IssuedKey>> {
  const startedMs = ports.clock.nowMs();
  const known = await callStore(ports, NOT_READ, () => ports.keys.hasOrganization(org));
  if (known.kind === "problem") return known;
  if (!known.value && org !== DEFAULT_ORG)
    return refuse(
      "forbidden",
      `Your provider says that you belong to the organization ${org}, which does not exist here. ` +
        "Those who run this server make it with a key, or correct the claim at the provider.",
    );
  const now = ports.clock.now();
  const time = now.toISOString();
  const principal = personId(issuer, subject);
  const expires_at = new Date(now.getTime() + LOGIN_MS).toISOString();
  return issueKey(ports, {
    key: {
      org,
      name: `login of ${name ?? principal}`.replaceAll(/\p{Cc}/gu, " ").slice(0, MAX_KEY_NAME_LENGTH),
      role: roles[0],
      agents: null,
      namespaces: null,
      origin: "login",
      identity: {
        issuer,
        subject,
        trust_rule_id: null,
        environment: null,
        person: { name, groups: [...groups], roles: [...roles] },
      },
      created_at: time,
      created_by: principal,
      expires_at,
    },
    newKey: newShortKey,
    changeOf: (key) => {
      const facts = { org, principal, action: "signed_in", time } as const;
      return { org, auditRow: keyRow(key, facts), actor: null, at: time };
    },
    note: ({ id: key_id }) =>
      ports.log.info({ org, principal, key_id, roles, expires_at }, "person signed in"),
    startedMs,
  });
}
