import { RE2JS } from "re2js";

/** The regular expressions of one policy. Each is compiled once, however many conditions name it. */
export class PatternSet {
  readonly #byText = new Map<string, RE2JS>();

  /** @throws when the text is not RE2 syntax. */
  compiled(text: string, ignoreCase: boolean): RE2JS {
    const key = `${ignoreCase ? "i" : "="}${text}`;
    const known = this.#byText.get(key);
    if (known !== undefined) return known;
    const compiled = RE2JS.compile(text, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
    this.#byText.set(key, compiled);
    return compiled;
  }
}
