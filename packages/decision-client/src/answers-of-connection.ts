import { type NamedBy, requestNamedBy } from "./request-names.ts";

/** What the answers on one connection have shown of the way to the gateway. */
export class AnswersOfConnection {
  #areNamed = false;

  /**
   * Whether an answer may be the one to the request with this name. After an answer that names its request,
   * each verdict on the same connection must name its own.
   */
  mayAnswer(name: string, status: number, header: NamedBy): boolean {
    switch (requestNamedBy(header, name)) {
      case "this":
        this.#areNamed = true;
        return true;
      case "another":
        return false;
      case "unknown":
        // A proxy that answers by itself names no request. Its answer is not a verdict.
        return status !== 200 || !this.#areNamed;
    }
  }
}
