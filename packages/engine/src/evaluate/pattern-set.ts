import { RE2JS } from "re2js";

/** The regular expressions of one policy. Each is compiled once, however many conditions name it. */
export class PatternSet {
  readonly #byText = new Map<string, RE2JS>();

  /** @throws when the text is not RE2 syntax. */
  compiled(text: string): RE2JS {
    const known = this.#byText.get(text);
    if (known !== undefined) return known;
    const compiled = RE2JS.compile(text);
    this.#byText.set(text, compiled);
    return compiled;
  }
}
