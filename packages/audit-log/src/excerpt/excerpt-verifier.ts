import { parseCheckpoint, verifyCheckpoint } from "../checkpoint.ts";
import { FaultList } from "../fault-list.ts";
import type { FaultCode } from "../log-fault.ts";
import type { LogReport, LogVerdict } from "../log-report.ts";
import type { VerifierKey } from "../note-key.ts";
import { parseRowText } from "../parse-row-text.ts";
import { RowNotes } from "../row-notes.ts";
import { type Excerpt, verifyExcerptNote } from "./excerpt.ts";
import { emptyExcerptDigest, nextExcerptDigest } from "./excerpt-digest.ts";
import type { ExcerptRow } from "./excerpt-line.ts";
import { fitsFilter, NO_FILTER, type RowFilter, renderFilter } from "./row-filter.ts";

/** Longest quotation of a note that could not be used, in UTF-16 units. */
const MAX_QUOTED_LENGTH = 400;

export interface ExcerptVerifierOptions {
  readonly logId: string;
  readonly org: string;
  /** As the header of the excerpt says. */
  readonly filter?: RowFilter;
  readonly keys: readonly VerifierKey[];
}

/**
 * Verifies the rows of one organization in one log against the signed statement about them. It proves that
 * the holder of the key stated exactly these rows, in this order and at these places, and how many others
 * there are. It does not prove that the statement is right: only who holds all rows can compute the chain.
 */
export class ExcerptVerifier {
  readonly #logId: string;
  readonly #org: string;
  readonly #filter: RowFilter;
  readonly #keys: readonly VerifierKey[];
  readonly #faults = new FaultList();
  readonly #rowNotes = new RowNotes();
  #digest: Uint8Array;
  #rows = 0;
  #statement: Excerpt | null = null;
  /** A statement was given, whether it is valid or not. */
  #isClosed = false;
  #checkpoints = 0;

  constructor({ logId, org, filter = NO_FILTER, keys }: ExcerptVerifierOptions) {
    this.#logId = logId;
    this.#org = org;
    this.#filter = filter;
    this.#keys = keys;
    this.#digest = emptyExcerptDigest(logId, org);
  }

  addRow({ seq, bytes }: ExcerptRow): void {
    this.#rows += 1;
    if (this.#isClosed)
      return this.#refuse("excerpt_not_last", seq, "no row after the statement", `row ${seq}`);
    this.#digest = nextExcerptDigest(this.#digest, seq, bytes);
    this.#rowNotes.add(seq, bytes);
    const reading = parseRowText(Buffer.from(bytes).toString());
    if (reading.kind === "row" && reading.row.org !== this.#org)
      return this.#refuse("row_of_other_org", seq, this.#org, String(reading.row.org));
    const { logId } = this.#filter;
    const fits = reading.kind === "row" && fitsFilter(this.#filter, reading.row);
    if (!fits || (logId !== undefined && logId !== this.#logId))
      this.#refuse("row_outside_filter", seq, renderFilter(this.#filter), `row ${seq}`);
  }

  /** The signed statement, after all rows of this log. */
  addStatement(note: string): void {
    if (this.#isClosed) return this.#refuse("excerpt_not_last", null, "one statement", "another one");
    this.#isClosed = true;
    const verdict = verifyExcerptNote(note, this.#keys);
    if (verdict.kind !== "valid") {
      const found = JSON.stringify(note.slice(0, MAX_QUOTED_LENGTH));
      const [code, expected] = [`excerpt_${verdict.kind}` as const, EXPECTED_NOTE[verdict.kind]];
      return this.#faults.addOfNote(note, { code, at: null, expected, found, row: null });
    }
    this.#faults.addTrusted();
    const { excerpt } = verdict;
    const { logId, org, size } = excerpt;
    if (logId !== this.#logId) return this.#refuse("excerpt_of_other_log", size, this.#logId, logId);
    if (org !== this.#org) return this.#refuse("excerpt_of_other_org", size, this.#org, org);
    const [filter, statedFilter] = [renderFilter(this.#filter), renderFilter(excerpt.filter)];
    if (filter !== statedFilter) return this.#refuse("excerpt_of_other_filter", size, filter, statedFilter);
    const stated = `${excerpt.rows} rows with the digest ${hex(excerpt.digest)}`;
    const found = `${this.#rows} rows with the digest ${hex(this.#digest)}`;
    if (stated !== found) return this.#refuse("excerpt_differs", size, stated, found);
    this.#statement = excerpt;
  }

  /**
   * A checkpoint that was kept elsewhere, after the statement. It shows that the log was cut off when it
   * covers more rows, and that the log was replaced when it covers as many and differs. An earlier one cannot
   * be compared, because the hashes between are not shown.
   */
  addCheckpoint(note: string): void {
    const verdict = verifyCheckpoint(note, this.#keys);
    if (verdict.kind !== "valid") {
      const at = parseCheckpoint(note)?.size ?? null;
      const expected = "a checkpoint signed by a given key";
      const code = `checkpoint_${verdict.kind}` as const;
      return this.#faults.addOfNote(note, { code, at, expected, found: verdict.kind, row: null });
    }
    this.#faults.addTrusted();
    const { size, hash } = verdict.checkpoint;
    const { size: stated, head } = this.#statement ?? { size: 0, head: null };
    if (size > stated) return this.#refuse("checkpoint_ahead", size, `${size} rows`, `${stated} rows`);
    if (size < stated || head === null) return;
    if (hex(hash) !== hex(head)) return this.#refuse("checkpoint_differs", size, hex(hash), hex(head));
    this.#checkpoints += 1;
  }

  /** The result, when everything has been given. */
  report(): LogReport {
    if (!this.#isClosed) this.#refuse("excerpt_missing", null, "a signed statement after the rows", "none");
    const { faults, neededKeys } = this.#faults;
    const isGood = this.#statement !== null && faults.length === 0;
    return {
      logId: this.#logId,
      verdict: isGood ? "intact" : faultyVerdict(neededKeys),
      rows: this.#rows,
      goodRows: isGood ? this.#rows : 0,
      head: hex(this.#statement?.head ?? new Uint8Array()),
      checkpoints: this.#checkpoints,
      signedRows: isGood ? this.#rows : 0,
      leftOut: (this.#statement?.size ?? this.#rows) - this.#rows - (this.#statement?.removed ?? 0),
      removed: { rows: this.#statement?.removed ?? 0, last: null },
      filter: renderFilter(this.#filter),
      faults: neededKeys.length > 0 ? [] : faults,
      neededKeys,
      notes: this.#rowNotes.notes(),
    };
  }

  #refuse(code: FaultCode, at: number | null, expected: string, found: string): void {
    this.#faults.add({ code, at, expected, found, row: null });
  }
}

function faultyVerdict(neededKeys: readonly string[]): LogVerdict {
  return neededKeys.length > 0 ? "not_judged" : "broken";
}

const EXPECTED_NOTE = {
  malformed: "a signed statement about an excerpt",
  unknown_key: "a signature by one of the given keys",
  bad_signature: "a signature that fits the text",
} as const;

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}
