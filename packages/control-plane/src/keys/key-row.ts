import { rowText } from "@svc/audit-log/row-text";
import { AUDIT_ROW_VERSION, type KeyRow } from "@svc/contract/audit-row";
import type { KeyIdentity } from "@svc/contract/key-identity";
import { maskSecretsInIdentifier, maskSecretsInText } from "@svc/engine/mask-secrets";
import type { StoredKey } from "@svc/store/ports/key-store";

/** The facts of one change that the key does not hold. */
export type KeyChangeFacts = Pick<KeyRow, "org" | "principal" | "time" | "action" | "overlap_ends_at">;

/** The audit row of a change of this key, as text to store. Secrets that people wrote are masked. */
export function keyRow(key: StoredKey, facts: KeyChangeFacts): string {
  return rowText({
    v: AUDIT_ROW_VERSION,
    kind: "key",
    key_id: key.id,
    name: maskSecretsInText(key.name),
    role: key.role,
    agents: key.agents?.map(maskSecretsInIdentifier) ?? null,
    namespaces: key.namespaces?.map(maskSecretsInIdentifier) ?? null,
    expires_at: key.expires_at,
    ...(key.identity === undefined ? {} : { identity: maskedIdentity(key.identity) }),
    ...facts,
  });
}

/** Texts of a token, which its issuer wrote. */
function maskedIdentity(identity: KeyIdentity): KeyIdentity {
  const { issuer, subject, environment, person } = identity;
  return {
    ...identity,
    issuer: maskSecretsInText(issuer),
    subject: maskSecretsInText(subject),
    environment: environment === null ? null : maskSecretsInText(environment),
    person: person === null ? null : maskedPerson(person),
  };
}

function maskedPerson({ name, groups, roles }: NonNullable<KeyIdentity["person"]>): KeyIdentity["person"] {
  return {
    name: name === null ? null : maskSecretsInText(name),
    groups: groups.map(maskSecretsInText),
    roles,
  };
}
