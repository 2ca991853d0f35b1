import { personId } from "@svc/contract/person-id";
import type { Principal } from "@svc/contract/principal";
import { scopesOf, scopesOfRoles } from "@svc/contract/role";
import type { ControlSubscriber } from "@svc/control-feed/control-subscriber";
import type { ControlEvent, ControlSnapshot } from "@svc/store/ports/control-change";
import type { StoredKey, StoredSecret } from "@svc/store/ports/key-store";

/** One secret that some key accepts, with all that a request needs of the key. */
export interface AcceptedSecret {
  /** The hex of its SHA-256, and the bytes of that hex, which are compared in constant time. */
  readonly digest: string;
  readonly digestBytes: Buffer;
  readonly principal: Principal;
  /** Unix milliseconds from which on the secret is refused; infinite when neither it nor its key ends. */
  readonly endsAtMs: number;
}

/**
 * Every secret that is accepted, by the id of its key and its digest. One lookup finds a secret, so an
 * unknown id takes as long as a wrong secret, however many secrets a key has. Scopes and bindings are
 * resolved when a key arrives.
 */
export class KeyIndex implements ControlSubscriber {
  #revision = 0;
  #secrets = new Map<string, AcceptedSecret>();
  /** The digests of each key, so that a change replaces all of them. */
  #digests = new Map<string, readonly string[]>();
  /** When the keys of minutes end that came since the snapshot, in unix milliseconds. */
  readonly #short = new Map<string, number>();

  get revision(): number {
    return this.#revision;
  }

  /** How many keys there are, with those that have expired. */
  get size(): number {
    return this.#digests.size;
  }

  /** A secret that has ended is found, too: the caller compares the time. */
  find(keyId: string, digest: string): AcceptedSecret | undefined {
    return this.#secrets.get(nameOf(keyId, digest));
  }

  *load({ revision, changes }: ControlSnapshot): Generator<undefined, void> {
    const secrets = new Map<string, AcceptedSecret>();
    const digests = new Map<string, readonly string[]>();
    for (const { change } of changes) {
      if (change.kind !== "key") continue;
      put(change.key, secrets, digests);
      yield;
    }
    this.#secrets = secrets;
    this.#digests = digests;
    this.#revision = revision;
  }

  apply({ revision, change }: ControlEvent): void {
    if (change.kind === "key") {
      put(change.key, this.#secrets, this.#digests);
      if (isShort(change.key)) this.#forgetEnded(change.key);
    }
    this.#revision = revision;
  }

  /** Each key of minutes drops those that had ended when it was made: they would fill the memory. */
  #forgetEnded(added: StoredKey): void {
    const nowMs = Date.parse(added.created_at);
    for (const [id, untilMs] of this.#short) {
      if (untilMs > nowMs) continue;
      for (const digest of this.#digests.get(id) ?? []) this.#secrets.delete(nameOf(id, digest));
      this.#digests.delete(id);
      this.#short.delete(id);
    }
    this.#short.set(added.id, endMs(added));
  }
}

/** Whether a key lives for minutes or hours. */
function isShort({ origin }: StoredKey): boolean {
  return origin === "exchanged" || origin === "login";
}

function put(
  key: StoredKey,
  secrets: Map<string, AcceptedSecret>,
  digests: Map<string, readonly string[]>,
): void {
  // What can fail comes first, so that a key that cannot be read changes nothing.
  const accepted = key.revoked_at === null ? acceptedSecrets(key) : [];
  for (const digest of digests.get(key.id) ?? []) secrets.delete(nameOf(key.id, digest));
  digests.delete(key.id);
  if (accepted.length === 0) return;
  for (const secret of accepted) secrets.set(nameOf(key.id, secret.digest), secret);
  digests.set(
    key.id,
    accepted.map(({ digest }) => digest),
  );
}

function acceptedSecrets(key: StoredKey): readonly AcceptedSecret[] {
  const principal = principalOf(key);
  return key.secrets.map((secret) => {
    const endsFirst = endMs(secret) < endMs(key);
    return {
      digest: secret.digest,
      digestBytes: Buffer.from(secret.digest),
      // What the secret hands out must not outlive the secret, so its end is that of the principal.
      principal: endsFirst ? { ...principal, expires_at: secret.expires_at } : principal,
      endsAtMs: Math.min(endMs(key), endMs(secret)),
    };
  });
}

const NOBODY = { issuer: "", subject: "", person: null } as const;

function principalOf(key: StoredKey): Principal {
  const { id, org, role, agents, namespaces, origin, expires_at } = key;
  const isBound = agents !== null || namespaces !== null;
  const { issuer, subject, person } = key.identity ?? NOBODY;
  if (person !== null)
    return {
      id: personId(issuer, subject),
      org,
      role,
      scopes: scopesOfRoles(person.roles, { isBootstrap: false, isBound }),
      agents: null,
      namespaces: null,
      // The login ends, and not the person: what a person makes may go on.
      expires_at: null,
      person: { key_id: id, name: person.name, roles: person.roles, groups: new Set(person.groups) },
    };
  return {
    id,
    org,
    role,
    scopes: scopesOf({ role, isBootstrap: origin === "bootstrap", isBound }),
    agents: agents === null ? null : new Set(agents),
    namespaces: namespaces === null ? null : new Set(namespaces),
    expires_at,
  };
}

/** @throws when the stored time cannot be read: a key must not outlive its end. */
function endMs({ expires_at }: Pick<StoredKey | StoredSecret, "expires_at">): number {
  if (expires_at === null) return Number.POSITIVE_INFINITY;
  const ms = Date.parse(expires_at);
  if (Number.isNaN(ms)) throw new Error("the end of a key cannot be read");
  return ms;
}

function nameOf(keyId: string, digest: string): string {
  return `${keyId}.${digest}`;
}
