import { LineCounter } from "yaml";
import type { Diagnostic } from "../diagnostic.ts";
import { DIAGNOSTIC_CODES, type DiagnosticCode } from "../diagnostic-codes.ts";
import type { Witness } from "../witness.ts";
import { excerptAt } from "./excerpt.ts";

/** Most diagnostics of one document, as count: a hostile or binary file must not fill the answer. */
export const MAX_DIAGNOSTICS = 100;

/** A place in the source: any source node is one. */
export interface Place {
  readonly pointer: string;
  readonly offset: number;
  /** The lists of the policy that the value at this place comes from. */
  readonly lists?: readonly string[];
}

/** What a finding says, without its place. */
export interface Finding {
  readonly message: string;
  readonly expected: string;
  readonly found: string;
  readonly fix: string;
  readonly related?: Place;
  readonly witness?: Witness | null;
}

/** Collects every finding about one source text. A new one per document: positions belong to one text. */
export class Reporter {
  readonly lineCounter = new LineCounter();
  readonly #source: string;
  readonly #file: string | null;
  readonly #diagnostics: Diagnostic[] = [];
  readonly #ofLists = new Set<string>();
  #errors = 0;

  constructor(source: string, file: string | null) {
    this.#source = source;
    this.#file = file;
  }

  /** Finds the lines of a source that is not parsed with this reporter. */
  readLines(): void {
    this.lineCounter.addNewLine(0);
    for (let end = this.#source.indexOf("\n"); end !== -1; end = this.#source.indexOf("\n", end + 1))
      this.lineCounter.addNewLine(end + 1);
  }

  get hasErrors(): boolean {
    return this.#errors > 0;
  }

  /** For messages that name another place. Counts from 1. */
  lineOf({ offset }: Place): string {
    return `line ${String(this.#position(offset).line)}`;
  }

  /** In document order, errors and warnings together. */
  get diagnostics(): readonly Diagnostic[] {
    return this.#diagnostics.toSorted((left, right) => left.line - right.line || left.column - right.column);
  }

  /** Findings past MAX_DIAGNOSTICS are counted, not kept: an error is never lost as such. */
  report(code: DiagnosticCode, place: Place, finding: Finding): void {
    const severity = DIAGNOSTIC_CODES[code];
    if (severity === "error") this.#errors += 1;
    if (this.#diagnostics.length >= MAX_DIAGNOSTICS) return;
    // One finding stands for all values of a list that do not fit where the list is named.
    const id = place.lists === undefined ? null : `${code} ${String(place.offset)} ${place.pointer}`;
    if (id !== null && this.#ofLists.has(id)) return;
    if (id !== null) this.#ofLists.add(id);
    const { message, expected, found, fix, related, witness } = finding;
    this.#diagnostics.push({
      severity,
      code,
      pointer: place.pointer,
      file: this.#file,
      ...this.#position(place.offset),
      message,
      expected,
      found: place.lists === undefined ? found : `${found}, from the list ${place.lists.join(" and ")}`,
      fix,
      related: related === undefined ? null : this.#position(related.offset),
      witness: witness ?? null,
    });
  }

  #position(offset: number): { line: number; column: number; excerpt: string } {
    const { line, col } = this.lineCounter.linePos(offset);
    const start = this.lineCounter.lineStarts[line - 1] ?? 0;
    const end = this.#source.indexOf("\n", start);
    const text = this.#source.slice(start, end === -1 ? undefined : end).trimEnd();
    const column = Math.max(col, 1);
    return { line: Math.max(line, 1), column, excerpt: excerptAt(text, column) };
  }
}
