import { open } from "node:fs/promises";
import { join } from "node:path";
import { generateMasterKey, type MasterKeys, parseMasterKeys } from "@svc/secrets/master-keys";
import { writeSecretFile } from "../files/write-secret-file.ts";

/** The bits of the mode that let others than the owner in. */
const OF_OTHERS = 0o077;

/** The key of the secrets of an embedded store, where SVC_SECRETS_KEY does not give it. */
export class SecretsKeyFile {
  readonly path: string;

  constructor(dataDir: string) {
    this.path = join(dataDir, "secrets-key");
  }

  /** Null: there is no file. @throws naming the file that cannot be used */
  async read(): Promise<MasterKeys | null> {
    const text = await this.#text();
    return text === null ? null : this.#parse(text);
  }

  /** Makes the file. Only for a store that holds nothing that another key has encrypted. */
  async create(): Promise<MasterKeys> {
    const key = generateMasterKey();
    await writeSecretFile(this.path, key);
    return this.#parse(key);
  }

  /**
   * Puts a new key before those of the file, has `use` encrypt everything with it, and leaves the new one
   * alone. A crash at any moment leaves a file with the key of everything that is stored.
   */
  async rotate<Result>(use: (keys: MasterKeys) => Promise<Result>): Promise<Result> {
    const old = (await this.#text()) ?? "";
    const key = generateMasterKey();
    const both = `${key}\n${old}`.trim();
    const keys = this.#parse(both);
    await writeSecretFile(this.path, both);
    const result = await use(keys);
    await writeSecretFile(this.path, key);
    return result;
  }

  #parse(text: string): MasterKeys {
    try {
      return parseMasterKeys(text);
    } catch (error) {
      const expected = error instanceof Error ? error.message : String(error);
      throw this.#fault(`expected ${expected}, found another text (not shown)`, error);
    }
  }

  async #text(): Promise<string | null> {
    try {
      await using file = await open(this.path, "r");
      const { mode } = await file.stat();
      if ((mode & OF_OTHERS) === 0) return (await file.readFile("utf8")).trim();
      throw this.#fault(`expected the mode 0600, found ${(mode & 0o777).toString(8).padStart(4, "0")}`, null);
    } catch (error) {
      if (error instanceof Error && "code" in error) {
        if (error.code === "ENOENT") return null;
        throw this.#fault(`expected a readable file: ${error.message}`, error);
      }
      throw error;
    }
  }

  #fault(why: string, cause: unknown): Error {
    return new Error(`${this.path}: ${why}`, { cause });
  }
}
