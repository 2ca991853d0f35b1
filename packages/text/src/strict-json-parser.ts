import { excerpt } from "./excerpt.ts";
import { simpleEscape, unicodeEscape } from "./json-escape.ts";
import { excerptOf, type JsonFault, StrictJsonError } from "./json-fault.ts";
import type { JsonObject, JsonValue } from "./json-value.ts";

type Result =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly fault: JsonFault };

/** Keys that reach JavaScript's prototype machinery in a careless consumer. */
export const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

const ALLOWED_KEYS = "a key other than __proto__, constructor, prototype";

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const SPACE = 0x20;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const LETTER_E = 0x65;
/** The bit that makes an ASCII letter lower case. */
const LOWER_CASE = 0x20;
const FIRST_SURROGATE = 0xd800;
const LAST_SURROGATE = 0xdfff;

/** Longest excerpt of a repeated key, in characters. */
const KEY_EXCERPT_LENGTH = 64;

function repeatedKey(key: string, offset: number): StrictJsonError {
  return new StrictJsonError("each key once", offset, `${excerpt(key, KEY_EXCERPT_LENGTH)} again`);
}

/** Digits of which every integer is below 2^53. */
const SHORT_INTEGER_DIGITS = 15;

/** One pass over one text. Not reusable. */
export class StrictJsonParser {
  readonly #text: string;
  readonly #maxDepth: number;
  #at = 0;
  #depth = 0;

  constructor(text: string, maxDepth: number) {
    this.#text = text;
    this.#maxDepth = maxDepth;
  }

  /** What this throws is a defect of the parser: no text does it. */
  parse(): Result {
    try {
      const value = this.#value();
      this.#skipSpace();
      if (this.#at < this.#text.length) throw new StrictJsonError("the end of the text", this.#at);
      return { ok: true, value };
    } catch (error) {
      if (!(error instanceof StrictJsonError)) throw error;
      return { ok: false, fault: error.faultIn(this.#text) };
    }
  }

  #value(): JsonValue {
    switch (this.#skipSpace()) {
      case OPEN_BRACE:
        return this.#object();
      case OPEN_BRACKET:
        return this.#array();
      case QUOTE:
        return this.#string();
      case 0x74:
        return this.#word("true", true);
      case 0x66:
        return this.#word("false", false);
      case 0x6e:
        return this.#word("null", null);
      default:
        return this.#number();
    }
  }

  #object(): JsonObject {
    this.#enter();
    const object = Object.create(null) as Record<string, JsonValue>;
    if (this.#skipSpace() !== CLOSE_BRACE) {
      do {
        if (this.#skipSpace() !== QUOTE) throw new StrictJsonError("a key in double quotes", this.#at);
        const keyAt = this.#at;
        const key = this.#string();
        if (key in object) throw repeatedKey(key, keyAt);
        if (FORBIDDEN_KEYS.has(key)) throw new StrictJsonError(ALLOWED_KEYS, keyAt);
        if (this.#skipSpace() !== COLON) throw new StrictJsonError("a colon", this.#at);
        this.#at += 1;
        object[key] = this.#value();
      } while (this.#next(CLOSE_BRACE, "a comma or }"));
    }
    this.#leave();
    return object;
  }

  #array(): JsonValue[] {
    this.#enter();
    const array: JsonValue[] = [];
    if (this.#skipSpace() !== CLOSE_BRACKET) {
      do array.push(this.#value());
      while (this.#next(CLOSE_BRACKET, "a comma or ]"));
    }
    this.#leave();
    return array;
  }

  #enter(): void {
    this.#depth += 1;
    if (this.#depth > this.#maxDepth)
      throw new StrictJsonError(`at most ${String(this.#maxDepth)} levels`, this.#at);
    this.#at += 1;
  }

  #leave(): void {
    this.#depth -= 1;
    this.#at += 1;
  }

  /** Whether another member follows; stops before the closing character. */
  #next(close: number, expected: string): boolean {
    const code = this.#skipSpace();
    if (code === close) return false;
    if (code !== COMMA) throw new StrictJsonError(expected, this.#at);
    this.#at += 1;
    return true;
  }

  #string(): string {
    const start = this.#at + 1;
    for (let at = start; at < this.#text.length; at += 1) {
      const code = this.#text.charCodeAt(at);
      if (code === QUOTE) {
        this.#at = at + 1;
        return this.#text.slice(start, at);
      }
      if (code === BACKSLASH || (code >= FIRST_SURROGATE && code <= LAST_SURROGATE))
        return this.#longString(start, at);
      if (code < SPACE) throw new StrictJsonError("control characters written as escapes", at);
    }
    throw new StrictJsonError("a closing quote", this.#text.length);
  }

  /** A string with escapes or characters beyond the basic plane. */
  #longString(start: number, firstAt: number): string {
    const text = this.#text;
    let value = text.slice(start, firstAt);
    let at = firstAt;
    for (;;) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) break;
      if (Number.isNaN(code)) throw new StrictJsonError("a closing quote", at);
      if (code < SPACE) throw new StrictJsonError("control characters written as escapes", at);
      if (code !== BACKSLASH) {
        value += text.charAt(at);
        at += 1;
        continue;
      }
      const escaped = text.charAt(at + 1);
      value += escaped === "u" ? unicodeEscape(text, at) : simpleEscape(escaped, at);
      at += escaped === "u" ? 6 : 2;
    }
    if (!value.isWellFormed()) throw new StrictJsonError("well-formed Unicode", start, "a lone surrogate");
    this.#at = at + 1;
    return value;
  }

  /** The usual number has at most 15 digits, and no sign, fraction or exponent. */
  #number(): number {
    const text = this.#text;
    let at = this.#at;
    let code = text.charCodeAt(at);
    if (code <= ZERO || code > NINE) return this.#longNumber();
    let value = 0;
    while (code >= ZERO && code <= NINE) {
      value = value * 10 + (code - ZERO);
      at += 1;
      code = text.charCodeAt(at);
    }
    const isShort =
      at - this.#at <= SHORT_INTEGER_DIGITS && code !== POINT && (code | LOWER_CASE) !== LETTER_E;
    // At the end of the text the code is NaN: no comparison above has caught it.
    if (!isShort || at === this.#at) return this.#longNumber();
    this.#at = at;
    return value;
  }

  #longNumber(): number {
    const start = this.#at;
    NUMBER.lastIndex = start;
    const literal = NUMBER.exec(this.#text)?.[0];
    if (literal === undefined) throw new StrictJsonError("a JSON value", start);
    const value = Number(literal);
    const expected = numberFault(value);
    if (expected !== null) throw new StrictJsonError(expected, start, excerptOf(literal, 0));
    this.#at = start + literal.length;
    return value;
  }

  #word<Word extends boolean | null>(text: string, value: Word): Word {
    if (!this.#text.startsWith(text, this.#at)) throw new StrictJsonError("a JSON value", this.#at);
    this.#at += text.length;
    return value;
  }

  /** Moves to the next character that is not white space and tells it; NaN at the end. */
  #skipSpace(): number {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== SPACE && code !== 0x0a && code !== 0x0d && code !== 0x09) return code;
      this.#at += 1;
    }
  }
}

/** What a number must be that this one is not; null: nothing. */
export function numberFault(value: number): string | null {
  if (!Number.isFinite(value)) return "a finite number";
  if (Object.is(value, -0)) return "0 without a sign";
  const tooLarge = Number.isInteger(value) && !Number.isSafeInteger(value);
  return tooLarge ? "an integer within 2^53 - 1 (send larger ones as strings)" : null;
}
