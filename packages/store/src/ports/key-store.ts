import type { KeyOrigin } from "@svc/contract/key";
import type { KeyIdentity } from "@svc/contract/key-identity";
import type { Role } from "@svc/contract/role";
import type { AuditedChange } from "./audited-change.ts";
import type { Page, PageRequest } from "./page.ts";

/** One secret of a key at rest. Times are RFC 3339 UTC with milliseconds. */
export interface StoredSecret {
  /** SHA-256 of the secret as hex. The secret itself is not stored. */
  readonly digest: string;
  readonly created_at: string;
  /** When it ends although the key goes on; null: it ends with the key. */
  readonly expires_at: string | null;
}

/** An API key at rest. Everything but its end and its secrets stays as it was made. */
export interface StoredKey {
  /** Unique among all organizations, and never used again. */
  readonly id: string;
  readonly org: string;
  readonly name: string;
  readonly role: Role;
  readonly agents: readonly string[] | null;
  readonly namespaces: readonly string[] | null;
  readonly origin: KeyOrigin;
  /** Whom an identity provider named. Absent in keys of other origins. */
  readonly identity?: KeyIdentity;
  readonly created_at: string;
  readonly created_by: string;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  readonly revoked_by: string | null;
  /** Oldest first. */
  readonly secrets: readonly StoredSecret[];
}

/**
 * A change of a key that another key asks for. The store refuses it with `actor_ended` when the key that asks
 * was revoked or has expired by then, so that no key outlives its own end in the keys that it makes.
 */
export interface KeyChange extends AuditedChange {
  /** Id of the key that asks; null when no key does. */
  readonly actor: string | null;
  /** RFC 3339: when the change happens. */
  readonly at: string;
}

/** Which limit leaves no place for a new key. */
export type KeysFull =
  | { readonly of: "lasting" }
  | {
      /** Keys that one trust rule has given, those of all rules, or these and the logins together. */
      readonly of: "trust_rule" | "exchanged" | "short";
      readonly exchanged: number;
      readonly logins: number;
      /** RFC 3339: when the next of the keys that are counted ends. */
      readonly nextEnd: string;
    };

export interface KeyStore {
  createKey(
    change: KeyChange & { readonly key: StoredKey },
  ): Promise<
    | { readonly kind: "created"; readonly revision: number }
    | { readonly kind: "id_taken" }
    | { readonly kind: "too_many"; readonly full: KeysFull }
    | { readonly kind: "actor_ended" }
  >;
  /**
   * Adds a secret. The others end at `overlapEndsAt`, or sooner when they did before; those that have ended
   * are forgotten. `ended`: the key was revoked or has expired.
   */
  rotateKey(
    change: KeyChange & {
      readonly id: string;
      readonly digest: string;
      readonly overlapEndsAt: string;
    },
  ): Promise<
    | { readonly kind: "rotated"; readonly key: StoredKey; readonly revision: number }
    | { readonly kind: "ended"; readonly key: StoredKey }
    | { readonly kind: "too_many" }
    | { readonly kind: "not_found" }
    | { readonly kind: "actor_ended" }
  >;
  /** Ends a key for good. `already_revoked`: nothing was written. */
  revokeKey(
    change: KeyChange & { readonly id: string; readonly revokedBy: string },
  ): Promise<
    | { readonly kind: "revoked"; readonly key: StoredKey; readonly revision: number }
    | { readonly kind: "already_revoked"; readonly key: StoredKey }
    | { readonly kind: "not_found" }
    | { readonly kind: "actor_ended" }
  >;
  /**
   * Writes the bootstrap key, or its new secret, and revokes every other bootstrap key, with the audit row in
   * one transaction: a new one shuts out for good everybody who holds an earlier one. Managed keys stay, of
   * every organization; `id_taken`, and nothing is written, when one of them has or had this id. With `only
   * first`, nothing is written when there is a bootstrap key that is not revoked: then it is `not_first`.
   */
  putBootstrapKey(
    key: StoredKey,
    auditRow: string,
    when: "always" | "only first",
  ): Promise<"put" | "id_taken" | "not_first">;
  /** The bootstrap keys that are not revoked. */
  bootstrapKeys(): Promise<readonly StoredKey[]>;
  /** Whether there is or was a key of another organization than this one. */
  hasOtherOrganization(org: string): Promise<boolean>;
  /** Whether there is or was a lasting key of this organization. */
  hasOrganization(org: string): Promise<boolean>;
  /**
   * A key of any organization. The caller compares the organization. A key of minutes is found for one day
   * after its end, and not later.
   */
  key(id: string): Promise<StoredKey | null>;
  /** By id. */
  keys(org: string, page: PageRequest): Promise<Page<StoredKey> | "bad_cursor">;
}
