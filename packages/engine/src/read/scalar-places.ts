/**
 * Finds where in a YAML document each character of a text value is written. Every style of a scalar keeps the
 * characters that are not blank in their order, so they are counted; blanks are folded, escaped or indented.
 */
export class ScalarPlaces {
  readonly #source: string;
  readonly #start: number;
  readonly #value: string;
  /** Found when the first place is asked for. */
  #found: { readonly offsets: readonly number[] | null } | null = null;

  /** @param start offset of the scalar in the source, at its quote or at the sign of a block */
  constructor(source: string, start: number, value: string) {
    this.#source = source;
    this.#start = start;
    this.#value = value;
  }

  /** The offset in the source of each character of the value that is not blank; null: they do not agree. */
  get #offsets(): readonly number[] | null {
    this.#found ??= { offsets: alignedOffsets(this.#source, this.#start, this.#value) };
    return this.#found.offsets;
  }

  /**
   * The offset in the source of a character of the value. The beginning of the scalar where that is not
   * known, such as in an alias.
   * @param index in UTF-16 units; the length of the value stands for its end
   */
  offsetOf(index: number): number {
    if (this.#offsets === null) return this.#start;
    const before = countUnits(this.#value.slice(0, index));
    const isUnit = index < this.#value.length && !isBlank(this.#value[index]);
    const exact = isUnit ? this.#offsets[before] : undefined;
    if (exact !== undefined) return exact;
    const last = this.#offsets[before - 1];
    return last === undefined ? (this.#offsets[0] ?? this.#start) : this.#pastUnit(last);
  }

  /** Whether YAML made one line of several: a comment of the value then covers the lines that followed. */
  get joinsLines(): boolean {
    if (this.#source[this.#start] === "|") return false;
    const [first, last] = [this.#offsets?.[0], this.#offsets?.at(-1)];
    if (first === undefined || last === undefined) return false;
    return countLines(this.#source.slice(first, last)) > countLines(this.#value.trim());
  }

  #pastUnit(offset: number): number {
    return Math.min(offset + 1, this.#source.length);
  }
}

/** One piece of a scalar as it is written. */
interface Piece {
  readonly offset: number;
  readonly text: string;
}

function alignedOffsets(source: string, start: number, value: string): readonly number[] | null {
  const wanted = value.replaceAll(BLANKS, "");
  const offsets: number[] = [];
  for (const { offset, text } of piecesFrom(source, start)) {
    for (const unit of text.replaceAll(BLANKS, "").split("")) {
      if (offsets.length === wanted.length) return offsets;
      if (wanted[offsets.length] !== unit) return null;
      offsets.push(offset);
    }
  }
  return offsets.length === wanted.length ? offsets : null;
}

function piecesFrom(source: string, start: number): Generator<Piece> {
  switch (source[start]) {
    case "|":
    case ">":
      return plainPieces(source, afterHeader(source, start));
    case '"':
      return doubleQuotedPieces(source, start + 1);
    case "'":
      return singleQuotedPieces(source, start + 1);
    default:
      return plainPieces(source, start);
  }
}

/** Behind the line that begins a block, which may hold a comment. */
function afterHeader(source: string, start: number): number {
  const end = source.indexOf("\n", start);
  return end === -1 ? source.length : end + 1;
}

function* plainPieces(source: string, start: number): Generator<Piece> {
  for (let offset = start; offset < source.length; offset += 1) yield { offset, text: source[offset] ?? "" };
}

function* singleQuotedPieces(source: string, start: number): Generator<Piece> {
  for (let offset = start; offset < source.length; offset += 1) {
    yield { offset, text: source[offset] ?? "" };
    if (source[offset] === "'") offset += 1;
  }
}

/** Digits of the escapes that name a character by its number. */
const HEX_DIGITS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/** The other escapes that stand for something else than themselves, where that is not blank. */
const CONTROLS: Readonly<Record<string, string>> = {
  "0": "\0",
  a: "\u0007",
  b: "\b",
  e: "\u001b",
  N: "\u0085",
};

/** Escapes of blanks: those of YAML, and the end of a line. */
const BLANK_ESCAPES = /[tnvfrLP_\s]/;

function* doubleQuotedPieces(source: string, start: number): Generator<Piece> {
  for (let offset = start; offset < source.length; offset += 1) {
    const unit = source[offset] ?? "";
    if (unit !== "\\") {
      yield { offset, text: unit };
      continue;
    }
    const escape = source[offset + 1] ?? "";
    const digits = HEX_DIGITS[escape];
    if (digits === undefined) {
      yield { offset, text: BLANK_ESCAPES.test(escape) ? "" : (CONTROLS[escape] ?? escape) };
      offset += 1;
      continue;
    }
    const code = Number.parseInt(source.slice(offset + 2, offset + 2 + digits), 16);
    // The reader has refused other digits, so the texts do not agree here.
    yield { offset, text: code <= 0x10_ff_ff ? String.fromCodePoint(code) : "" };
    offset += 1 + digits;
  }
}

const BLANKS = /\s/g;

function isBlank(unit: string | undefined): boolean {
  return unit !== undefined && /\s/.test(unit);
}

function countUnits(text: string): number {
  return text.replaceAll(BLANKS, "").length;
}

function countLines(text: string): number {
  return text.split("\n").length;
}
