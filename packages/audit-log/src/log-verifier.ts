import { type Checkpoint, parseCheckpoint, verifyCheckpoint } from "./checkpoint.ts";
import { FaultList } from "./fault-list.ts";
import type { FaultCode, LogFault, RowIdentity } from "./log-fault.ts";
import type { LogReport, LogVerdict } from "./log-report.ts";
import type { VerifierKey } from "./note-key.ts";
import { parseRowText } from "./parse-row-text.ts";
import { RemovalVerifier } from "./removal/removal-verifier.ts";
import { genesisHash, rowHash } from "./row-hash.ts";
import { RowNotes } from "./row-notes.ts";

/** Longest quotation of a note that could not be used, in UTF-16 units: all of an ordinary one. */
const MAX_QUOTED_LENGTH = 400;

/** A row as it was stored. The verifier trusts none of its members. No bytes: retention removed them. */
export interface VerifiableRow {
  readonly logId: string;
  readonly seq: number;
  readonly prevHash: Uint8Array;
  readonly hash: Uint8Array;
  readonly bytes: Uint8Array;
}

/**
 * Verifies one log from its rows in order, in memory that grows with neither rows nor passed checkpoints.
 * A checkpoint of size n can be given any time before row n is: earlier ones wait for their rows.
 */
export class LogVerifier {
  readonly #logId: string;
  readonly #keys: readonly VerifierKey[];
  readonly #noteFaults = new FaultList();
  readonly #rowNotes = new RowNotes();
  readonly #removals: RemovalVerifier;
  #finished = false;
  /** Checkpoints that wait for their rows, by size. */
  readonly #waiting = new Map<number, Checkpoint[]>();
  /** The first bad row. No row after it is judged, because there is no trusted hash to compare with. */
  #rowFault: LogFault | null = null;
  #head: Uint8Array;
  #rows = 0;
  #linkedRows = 0;
  #signedRows = 0;
  #checkpoints = 0;
  /** Rows behind these may have been replaced though they are linked: a checkpoint differs. */
  #undisputedRows = Number.POSITIVE_INFINITY;

  constructor(logId: string, keys: readonly VerifierKey[]) {
    this.#logId = logId;
    this.#keys = keys;
    this.#head = genesisHash(logId);
    this.#removals = new RemovalVerifier(logId, keys, this.#noteFaults);
  }

  /** How many rows were given so far. */
  get rows(): number {
    return this.#rows;
  }

  addRow(row: VerifiableRow): void {
    this.#rows += 1;
    if (this.#rowFault !== null) return this.#noteLateRow(row);
    const fault = this.#judge(row);
    if (fault !== null) {
      this.#rowFault = { ...fault, row: identityOf(row) };
      return;
    }
    this.#head = row.hash;
    this.#linkedRows += 1;
    const isRemoved = row.bytes.length === 0;
    this.#removals.addRow(row.seq, row.hash, isRemoved);
    if (!isRemoved) this.#rowNotes.add(row.seq, row.bytes);
    if (this.#waiting.size > 0) this.#compareWaiting();
  }

  addCheckpoint(note: string): void {
    const verdict = verifyCheckpoint(note, this.#keys);
    if (verdict.kind !== "valid") {
      const found = JSON.stringify(note.slice(0, MAX_QUOTED_LENGTH));
      const at = parseCheckpoint(note)?.size ?? null;
      const fault = difference(`checkpoint_${verdict.kind}`, at, EXPECTED_NOTE[verdict.kind], found);
      this.#noteFaults.addOfNote(note, fault);
      return;
    }
    this.#noteFaults.addTrusted();
    const { checkpoint } = verdict;
    const { logId, size } = checkpoint;
    if (logId !== this.#logId) {
      this.#noteFaults.add(difference("checkpoint_of_other_log", size, this.#logId, logId));
    } else if (size > this.#linkedRows) {
      this.#waiting.set(size, [...(this.#waiting.get(size) ?? []), checkpoint]);
    } else if (size < this.#linkedRows) {
      this.#noteFaults.add(
        difference("checkpoint_too_late", size, `before row ${size}`, `after row ${this.#linkedRows - 1}`),
      );
    } else {
      this.#compare(checkpoint);
    }
  }

  /** A signed statement about removed rows: behind them, and before the first row of the next block. */
  addRemoval(note: string): void {
    // Behind a bad row no hash can be trusted, so there is nothing to compare with.
    if (this.#rowFault === null) this.#removals.addStatement(note);
  }

  /** The result, when all rows and checkpoints have been given. */
  report(): LogReport {
    if (!this.#finished && this.#rowFault === null) this.#removals.finish();
    this.#finished = true;
    const ahead = this.#missingEnd();
    const found = [this.#rowFault, ...this.#noteFaults.faults, ahead].filter((fault) => fault !== null);
    const neededKeys = this.#rowFault === null ? this.#noteFaults.neededKeys : [];
    const faults = neededKeys.length > 0 ? [] : found;
    return {
      logId: this.#logId,
      verdict: neededKeys.length > 0 ? "not_judged" : this.#verdict(faults),
      rows: this.#rows,
      goodRows: Math.min(this.#linkedRows, this.#undisputedRows, this.#removals.firstUnexplained ?? Infinity),
      head: hex(this.#head),
      checkpoints: this.#checkpoints,
      signedRows: this.#signedRows,
      leftOut: null,
      removed: this.#removals.removed,
      filter: null,
      faults,
      neededKeys,
      notes: this.#rowNotes.notes(),
    };
  }

  #judge(row: VerifiableRow): LogFault | null {
    const seq = this.#linkedRows;
    if (row.logId !== this.#logId) return difference("row_of_other_log", seq, this.#logId, row.logId);
    if (row.seq !== seq) {
      const code = row.seq > seq ? "row_missing" : "row_repeated";
      return difference(code, seq, `row ${seq}`, `row ${row.seq}`);
    }
    if (!isSame(row.prevHash, this.#head)) {
      return difference("row_link_differs", seq, hex(this.#head), hex(row.prevHash));
    }
    // A later row or a checkpoint covers the hash of a removed row, and a signed statement says why it is so.
    if (row.bytes.length === 0) return null;
    const computed = rowHash(this.#head, row.bytes);
    return isSame(row.hash, computed)
      ? null
      : difference("row_hash_differs", seq, hex(computed), hex(row.hash));
  }

  /** A row that seemed to be missing was only moved. */
  #noteLateRow({ logId, seq }: VerifiableRow): void {
    const fault = this.#rowFault;
    if (fault?.code !== "row_missing" || logId !== this.#logId || seq !== fault.at) return;
    this.#rowFault = { ...fault, code: "row_out_of_order" };
  }

  #compareWaiting(): void {
    for (const checkpoint of this.#waiting.get(this.#linkedRows) ?? []) this.#compare(checkpoint);
    this.#waiting.delete(this.#linkedRows);
  }

  #compare({ size, hash }: Checkpoint): void {
    if (isSame(hash, this.#head)) {
      if (size > this.#signedRows || this.#checkpoints === 0) this.#checkpoints += 1;
      this.#signedRows = size;
      return;
    }
    this.#undisputedRows = Math.min(this.#undisputedRows, this.#signedRows);
    this.#noteFaults.add(difference("checkpoint_differs", size, hex(hash), hex(this.#head)));
  }

  #missingEnd(): LogFault | null {
    if (this.#rowFault !== null || this.#waiting.size === 0) return null;
    const size = [...this.#waiting.keys()].reduce((most, candidate) => Math.max(most, candidate), 0);
    return difference("checkpoint_ahead", size, `${size} rows`, `${this.#rows} rows`);
  }

  #verdict(faults: readonly LogFault[]): LogVerdict {
    if (faults.length > 0) return "broken";
    if (this.#signedRows === this.#rows) return "intact";
    return this.#signedRows === 0 ? "unsigned" : "partly_signed";
  }
}

const EXPECTED_NOTE = {
  malformed: "a checkpoint as signed note",
  unknown_key: "a signature by one of the given keys",
  bad_signature: "a signature that fits the text",
} as const;

function difference(code: FaultCode, at: number | null, expected: string, found: string): LogFault {
  return { code, at, expected, found, row: null };
}

function identityOf({ seq, bytes }: VerifiableRow): RowIdentity | null {
  const reading = parseRowText(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString());
  if (reading.kind !== "row") return null;
  const { kind, time, agent_id: agentId } = reading.row;
  return { seq, kind, time, agentId: typeof agentId === "string" ? agentId : null };
}

function isSame(left: Uint8Array, right: Uint8Array): boolean {
  return Buffer.compare(left, right) === 0;
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex");
}
