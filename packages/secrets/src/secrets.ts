import { randomBytes } from "node:crypto";
import type { SecretPlace, SecretStore, WrappedDataKey } from "@svc/store/ports/secret-store";
import { EnvelopeError, type EnvelopeKey, envelopeKey, KEY_BYTES, keyIdOf, open, seal } from "./envelope.ts";
import type { MasterKeys } from "./master-keys.ts";

/** Attempts at a change that others changed meanwhile, as count. For each of them, another one succeeded. */
const ATTEMPTS = 20;

/** A secret cannot be stored or read. The message says why, and never what the secret is. */
export class SecretUnreadableError extends Error {
  override readonly name = "SecretUnreadableError";
}

export interface Rotation {
  readonly organizations: number;
  readonly secrets: number;
}

export interface SecretsParts {
  readonly store: SecretStore;
  /** Null: nobody named a key. Then nothing can be stored or read. */
  readonly keys: MasterKeys | null;
}

/**
 * Secrets that must be readable to be used. Each organization has a data key that encrypts its secrets, and
 * the master key encrypts the data keys. A secret opens at its own place alone: a row that somebody moves to
 * another organization, kind or id is refused. Nothing is kept in memory between two calls.
 */
export class Secrets {
  readonly #store: SecretStore;
  readonly #keys: MasterKeys | null;

  constructor({ store, keys }: SecretsParts) {
    this.#store = store;
    this.#keys = keys;
  }

  /** Stores a secret, in place of an earlier one. @throws SecretUnreadableError without a master key */
  async put(place: SecretPlace, text: string): Promise<void> {
    const master = this.#masterKeys()[0];
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const candidate = seal(master, dataKeyPlace(place.org), randomBytes(KEY_BYTES));
      const wrapped = await this.#store.dataKey(place.org, candidate);
      const sealed = seal(this.#unwrap({ org: place.org, wrapped }), secretPlace(place), Buffer.from(text));
      if (await this.#store.putSecret(place, { sealed, wrapped })) return;
    }
    throw new SecretUnreadableError(`${nameOf(place)} was not stored: its key changed again and again`);
  }

  /** Null: there is none. @throws SecretUnreadableError for one that no key opens */
  async get(place: SecretPlace): Promise<string | null> {
    const stored = await this.#store.secret(place);
    if (stored === null) return null;
    const key = this.#unwrap({ org: place.org, wrapped: stored.wrapped });
    return this.#opened(nameOf(place), () => open(key, secretPlace(place), stored.sealed)).toString();
  }

  /** False: there was none. */
  async remove(place: SecretPlace): Promise<boolean> {
    return this.#store.removeSecret(place);
  }

  /** @throws SecretUnreadableError when the store holds ciphertext that no master key opens */
  async check(): Promise<void> {
    for (const dataKey of await this.#store.dataKeys()) this.#unwrap(dataKey);
  }

  /** Gives every organization a new data key under the first master key, and encrypts its secrets again. */
  async rotate(): Promise<Rotation> {
    const dataKeys = await this.#store.dataKeys();
    let secrets = 0;
    for (const { org } of dataKeys) secrets += await this.#rotateOne(org);
    return { organizations: dataKeys.length, secrets };
  }

  async #rotateOne(org: string): Promise<number> {
    const master = this.#masterKeys()[0];
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const dataKey = (await this.#store.dataKeys()).find((each) => each.org === org);
      if (dataKey === undefined) return 0;
      const [from, bytes] = [this.#unwrap(dataKey), randomBytes(KEY_BYTES)];
      const stored = await this.#store.secretsOf(org);
      const secrets = stored.map(({ kind, id, sealed }) => {
        const place = { org, kind, id };
        const text = this.#opened(nameOf(place), () => open(from, secretPlace(place), sealed));
        return { kind, id, from: sealed, to: seal(envelopeKey(bytes), secretPlace(place), text) };
      });
      const to = seal(master, dataKeyPlace(org), bytes);
      if (await this.#store.replaceDataKey({ org, from: dataKey.wrapped, to, secrets }))
        return secrets.length;
    }
    throw new SecretUnreadableError(`the secrets of ${org} were not rotated: they changed again and again`);
  }

  #unwrap({ org, wrapped }: WrappedDataKey): EnvelopeKey {
    const keys = this.#masterKeys();
    return this.#opened(`the key of the secrets of ${org}`, () => {
      const keyId = keyIdOf(wrapped);
      const key = keys.find(({ id }) => id === keyId);
      if (key === undefined) {
        const known = keys.map(({ id }) => id).join(", ");
        throw new EnvelopeError(`it was encrypted with the key ${keyId}, and SVC_SECRETS_KEY has ${known}`);
      }
      return envelopeKey(open(key, dataKeyPlace(org), wrapped));
    });
  }

  #masterKeys(): MasterKeys {
    if (this.#keys !== null) return this.#keys;
    throw new SecretUnreadableError(
      "SVC_SECRETS_KEY: expected the key of stored secrets, found none. Set SVC_SECRETS_KEY or " +
        "SVC_SECRETS_KEY_FILE",
    );
  }

  #opened<Value>(what: string, work: () => Value): Value {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof EnvelopeError)) throw error;
      throw new SecretUnreadableError(`${what} cannot be read: ${error.message}`, { cause: error });
    }
  }
}

function nameOf({ org, kind, id }: SecretPlace): string {
  return `the secret of ${kind} ${id} of ${org}`;
}

function secretPlace({ org, kind, id }: SecretPlace): readonly string[] {
  return ["secret", org, kind, id];
}

function dataKeyPlace(org: string): readonly string[] {
  return ["data-key", org];
}
