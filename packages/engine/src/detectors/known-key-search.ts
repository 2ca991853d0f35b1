import type { Span } from "./detector.ts";
import { type KeyForm, type KeyPart, keyFormPattern } from "./key-form.ts";
import { KNOWN_KEYS } from "./known-keys.ts";

/** A letter or digit before a key makes it a part of a longer word. */
const SEARCHED = new RegExp(`(?<![A-Za-z0-9])(?:${allForms().map(patternOf).join("|")})`, "g");

/** The first known key that begins at or after a place. */
export function findKnownKey(text: string, from: number): Span | null {
  SEARCHED.lastIndex = from;
  const match = SEARCHED.exec(text);
  return match === null ? null : { start: match.index, end: SEARCHED.lastIndex };
}

/** ASCII, in which every fixed part is written. */
const CODES = 128;

/** A form from its longest fixed part on, and where two telling characters of that part stand. */
class Marker {
  readonly text: string;
  readonly pairAt: number;
  readonly #parts: readonly KeyPart[];
  #pattern: RegExp | null = null;

  constructor(text: string, parts: readonly KeyPart[]) {
    this.text = text;
    this.pairAt = tellingPair(text);
    this.#parts = parts;
  }

  /** Made when a text first has the fixed part: hardly any of the forms is ever needed. */
  get rest(): RegExp {
    return (this.#pattern ??= new RegExp(keyFormPattern(this.#parts), "y"));
  }
}

/** Two characters that ordinary words do not have beside each other: the first of these that a text has. */
const RARE_PAIRS = [
  /[A-Za-z0-9][^A-Za-z0-9]|[^A-Za-z0-9][A-Za-z0-9]/,
  /[a-z][A-Z0-9]|[A-Z0-9][a-z]/,
] as const;

/** Every marker by its pair of characters: a text is looked at once, however many forms there are. */
const MARKERS: ReadonlyMap<number, readonly Marker[]> = markersByPair();
const IS_PAIR = new Uint8Array(CODES * CODES);
for (const pair of MARKERS.keys()) IS_PAIR[pair] = 1;

/** Characters of the shortest key, as count. */
const SHORTEST_KEY = Math.min(...allForms().map(shortestOf));

/** By code: whether a key may have the character. */
const IS_KEY_CHARACTER = Uint8Array.from({ length: CODES }, (_, code) =>
  /[A-Za-z0-9_.:/~=+%-]/.test(String.fromCharCode(code)) ? 1 : 0,
);

/**
 * Whether `findKnownKey` may find something; false is certain.
 * What precedes a key is not looked at: canonical JSON, which is asked first, escapes a line break with a
 * letter. No form holds a character that JSON escapes.
 */
export function mayHoldKnownKey(text: string): boolean {
  // Every key is one run of characters, longer than most words: of those that are shorter, few are looked at.
  let start = 0;
  for (let at = SHORTEST_KEY - 1; at < text.length; at = start + SHORTEST_KEY - 1) {
    const outside = lastOutside(text, start, at);
    if (outside >= start) {
      start = outside + 1;
      continue;
    }
    let end = at + 1;
    while (end < text.length && isKeyCharacterAt(text, end)) end += 1;
    if (isMarkedWithin(text, start, end)) return true;
    start = end + 1;
  }
  return false;
}

/** The last place up to `to` whose character no key has; before `from` when every one may be of a key. */
function lastOutside(text: string, from: number, to: number): number {
  let at = to;
  while (at >= from && isKeyCharacterAt(text, at)) at -= 1;
  return at;
}

function isKeyCharacterAt(text: string, at: number): boolean {
  return IS_KEY_CHARACTER[text.charCodeAt(at)] === 1;
}

function isMarkedWithin(text: string, start: number, end: number): boolean {
  let before = 0;
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= CODES) {
      before = 0;
      continue;
    }
    const pair = before * CODES + code;
    before = code;
    if (IS_PAIR[pair] === 1 && isMarked(text, at - 1, pair)) return true;
  }
  return false;
}

function isMarked(text: string, at: number, pair: number): boolean {
  for (const marker of MARKERS.get(pair) ?? []) {
    const start = at - marker.pairAt;
    if (!text.startsWith(marker.text, start)) continue;
    marker.rest.lastIndex = start;
    if (marker.rest.test(text)) return true;
  }
  return false;
}

function shortestOf({ parts }: KeyForm): number {
  return parts.reduce((sum, part) => sum + (part.kind === "fixed" ? part.text.length : part.least), 0);
}

function allForms(): readonly KeyForm[] {
  return KNOWN_KEYS.flatMap(({ forms }) => forms);
}

function patternOf({ parts }: KeyForm): string {
  return keyFormPattern(parts);
}

function markersByPair(): ReadonlyMap<number, readonly Marker[]> {
  const markers = new Map<number, Marker[]>();
  for (const { parts } of allForms()) {
    const at = longestFixed(parts);
    const marker = new Marker(fixedText(parts[at]), parts.slice(at));
    const { text, pairAt } = marker;
    const pair = text.charCodeAt(pairAt) * CODES + text.charCodeAt(pairAt + 1);
    const known = markers.get(pair);
    if (known === undefined) markers.set(pair, [marker]);
    else known.push(marker);
  }
  return markers;
}

function fixedText(part: KeyPart | undefined): string {
  return part?.kind === "fixed" ? part.text : "";
}

function longestFixed(parts: readonly KeyPart[]): number {
  let longest = 0;
  for (const [at, part] of parts.entries())
    if (fixedText(part).length > fixedText(parts[longest]).length) longest = at;
  if (fixedText(parts[longest]).length < 2)
    throw new Error("every form needs a fixed part of two characters");
  return longest;
}

/** Where two characters stand that ordinary words do not have beside each other. */
function tellingPair(text: string): number {
  for (const pattern of RARE_PAIRS) {
    const at = text.search(pattern);
    if (at !== -1) return at;
  }
  return 0;
}
