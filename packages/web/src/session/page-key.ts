import { createHmac, timingSafeEqual } from "node:crypto";
import { EnvelopeError, type EnvelopeKey, envelopeKey, open, seal } from "@svc/secrets/envelope";

/**
 * The key of the pages, the same in each process of a deployment. Whatever one of them has given to a
 * browser, each other one can read, and nobody else can make or read it.
 */
export class PageKey {
  readonly #bytes: Buffer;
  readonly #envelope: EnvelopeKey;

  /** @param hex of 256 random bits */
  constructor(hex: string) {
    this.#bytes = Buffer.from(hex, "hex");
    this.#envelope = envelopeKey(createHmac("sha256", this.#bytes).update("seal").digest());
  }

  /** @param place what the text is for; it opens there alone. @returns letters, digits and `._-` */
  seal(place: readonly string[], text: string): string {
    return seal(this.#envelope, place, Buffer.from(text));
  }

  /** Null: no process of this deployment has sealed it for this place. */
  open(place: readonly string[], sealed: string): string | null {
    try {
      return open(this.#envelope, place, sealed).toString();
    } catch (error) {
      if (error instanceof EnvelopeError) return null;
      throw error;
    }
  }

  /** 43 characters that follow from the parts, and that nobody can guess. */
  derive(...parts: readonly string[]): string {
    return createHmac("sha256", this.#bytes).update(JSON.stringify(parts)).digest("base64url");
  }

  /** What a form must carry that is sent with this cookie for this purpose. */
  token(cookie: string, purpose: string): string {
    return Buffer.from(this.derive("form", cookie, purpose), "base64url").toString("hex");
  }

  isToken(sent: string, cookie: string, purpose: string): boolean {
    const expected = Buffer.from(this.token(cookie, purpose));
    const found = Buffer.from(sent);
    return found.length === expected.length && timingSafeEqual(found, expected);
  }
}
