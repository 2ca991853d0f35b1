/** What a secret belongs to. No two secrets have the same place. */
export interface SecretPlace {
  readonly org: string;
  /** What kind of record it belongs to, such as `webhook`. */
  readonly kind: string;
  /** The id of that record. */
  readonly id: string;
}

/** The key that the secrets of an organization are encrypted with, itself encrypted. */
export interface WrappedDataKey {
  readonly org: string;
  readonly wrapped: string;
}

/** A secret as it is stored, with the key of its organization at the same moment. */
export interface SealedSecret {
  readonly sealed: string;
  readonly wrapped: string;
}

/** An encrypted secret that takes the place of another one. */
export interface ResealedSecret {
  readonly kind: string;
  readonly id: string;
  readonly from: string;
  readonly to: string;
}

export interface DataKeyReplacement {
  readonly org: string;
  readonly from: string;
  readonly to: string;
  /** Every secret of the organization. */
  readonly secrets: readonly ResealedSecret[];
}

/** Secrets that must be readable to be used, as ciphertext. The store cannot read them. */
export interface SecretStore {
  dataKeys(): Promise<readonly WrappedDataKey[]>;
  /** The key of an organization. One that has none stores the candidate, so all callers get the same key. */
  dataKey(org: string, candidate: string): Promise<string>;
  /** Stores a secret, in place of an earlier one. False: its organization has another key than `wrapped`. */
  putSecret(place: SecretPlace, secret: SealedSecret): Promise<boolean>;
  secret(place: SecretPlace): Promise<SealedSecret | null>;
  /** False: there was none. */
  removeSecret(place: SecretPlace): Promise<boolean>;
  secretsOf(
    org: string,
  ): Promise<readonly (Pick<SecretPlace, "kind" | "id"> & { readonly sealed: string })[]>;
  /** All or nothing. False: the key, or a secret, is another than was read. */
  replaceDataKey(replacement: DataKeyReplacement): Promise<boolean>;
}
