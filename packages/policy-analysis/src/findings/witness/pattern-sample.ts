import { RE2JS } from "re2js";

/** Longest sample in UTF-16 units. */
const MAX_SAMPLE_LENGTH = 500;

/** Characters that are tried for a class or an escape, the most ordinary first. */
const CANDIDATES = Array.from("x1 /-_.:@=X\n\t;|&<>#%+,'\"(){}[]*?!$\\^~`");

export interface SampleOptions {
  /** Stands for `.*` and `.+`; one character for `.` alone. */
  readonly dots?: string;
}

/**
 * A text that looks like what a pattern is about. It is a guess: look at it with the pattern. Null where the
 * pattern has a part that is not understood, or the text grows long.
 */
export function sampleOf(pattern: string, { dots = "" }: SampleOptions = {}): string | null {
  const reader = new SampleReader(pattern, dots);
  const text = reader.alternatives();
  return text === null || !reader.isAtEnd || text.length > MAX_SAMPLE_LENGTH ? null : text;
}

/** Recursive descent over the syntax of RE2. Every function returns null for what it does not understand. */
class SampleReader {
  readonly #pattern: string;
  readonly #dots: string;
  #at = 0;
  #depth = 0;

  constructor(pattern: string, dots: string) {
    this.#pattern = pattern;
    this.#dots = dots;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#pattern.length;
  }

  /** The first alternative. */
  alternatives(): string | null {
    const first = this.#sequence();
    while (first !== null && this.#pattern[this.#at] === "|") {
      this.#at += 1;
      if (this.#sequence() === null) return null;
    }
    return first;
  }

  #sequence(): string | null {
    let text = "";
    while (!this.isAtEnd && this.#pattern[this.#at] !== "|" && this.#pattern[this.#at] !== ")") {
      const piece = this.#piece();
      if (piece === null || text.length > MAX_SAMPLE_LENGTH) return null;
      text += piece;
    }
    return text;
  }

  #piece(): string | null {
    const isDot = this.#pattern[this.#at] === ".";
    const atom = this.#atom();
    if (atom === null) return null;
    const least = this.#repetitions();
    if (least === null) return isDot ? "x" : atom;
    if (isDot && least <= 1) return this.#dots === "" && least === 1 ? "x" : this.#dots;
    return least * atom.length > MAX_SAMPLE_LENGTH ? null : (isDot ? "x" : atom).repeat(least);
  }

  /** How often the atom stands at least; null: it is not repeated. */
  #repetitions(): number | null {
    const found = /^(?:[*+?]|\{([0-9]+)(?:,[0-9]*)?\})\??/.exec(this.#pattern.slice(this.#at, this.#at + 20));
    if (found === null) return null;
    this.#at += found[0].length;
    if (found[1] !== undefined) return Number(found[1]);
    return found[0].startsWith("+") ? 1 : 0;
  }

  #atom(): string | null {
    const character = this.#pattern[this.#at] ?? "";
    switch (character) {
      case "(":
        return this.#group();
      case "[":
        return this.#class();
      case "\\":
        return this.#escape();
      case "^":
      case "$":
        this.#at += 1;
        return "";
      case ".":
        this.#at += 1;
        return "x";
      case "*":
      case "+":
      case "?":
        return null;
      default: {
        const whole = String.fromCodePoint(this.#pattern.codePointAt(this.#at) ?? 0);
        this.#at += whole.length;
        return whole;
      }
    }
  }

  #group(): string | null {
    const opening = /^\((?:\?(?:P?<[A-Za-z0-9_]+>|[imsU-]*:|[imsU-]+\)))?/.exec(
      this.#pattern.slice(this.#at, this.#at + 60),
    );
    if (opening === null || this.#depth > 20) return null;
    this.#at += opening[0].length;
    // Flags alone.
    if (opening[0].endsWith(")")) return "";
    this.#depth += 1;
    const text = this.alternatives();
    this.#depth -= 1;
    if (this.#pattern[this.#at] !== ")") return null;
    this.#at += 1;
    return text;
  }

  #class(): string | null {
    const found = /^\[\^?\]?(?:\[:\^?[a-z]+:\]|\\.|[^\]\\])*\]/su.exec(this.#pattern.slice(this.#at));
    if (found === null) return null;
    this.#at += found[0].length;
    return memberOf(found[0]);
  }

  #escape(): string | null {
    const found = /^\\(?:x\{[0-9A-Fa-f]+\}|x[0-9A-Fa-f]{2}|[pP](?:\{\^?[A-Za-z_]+\}|[A-Z])|.)/su.exec(
      this.#pattern.slice(this.#at, this.#at + 60),
    );
    if (found === null || found[0] === "\\Q") return null;
    this.#at += found[0].length;
    return /^\\[bBAzZ]$/.test(found[0]) ? "" : memberOf(found[0]);
  }
}

/** A character that a class or an escape stands for. */
function memberOf(atom: string): string | null {
  const letter = /^\[([A-Za-z0-9])/.exec(atom)?.[1];
  if (letter !== undefined) return letter;
  const literal = /^\\([^A-Za-z0-9])$/su.exec(atom)?.[1];
  if (literal !== undefined) return literal;
  const regex = RE2JS.compile(atom);
  return [...CANDIDATES, ...letters()].find((character) => regex.matches(character)) ?? null;
}

function letters(): readonly string[] {
  return Array.from({ length: 26 }, (_, at) =>
    [97 + at, 65 + at].map((code) => String.fromCharCode(code)),
  ).flat();
}
