import type { FaultList } from "../fault-list.ts";
import type { FaultCode } from "../log-fault.ts";
import type { RemovedRows } from "../log-report.ts";
import type { VerifierKey } from "../note-key.ts";
import {
  blockOf,
  parseRemoval,
  REMOVAL_BLOCK_ROWS,
  type Removal,
  removedSeqs,
  verifyRemoval,
} from "./removal.ts";
import { emptyRemovalDigest, nextRemovalDigest } from "./removal-digest.ts";

/** Longest quotation of a note that could not be used, in UTF-16 units. */
const MAX_QUOTED_LENGTH = 400;

/**
 * Tells rows that retention removed from rows whose content somebody else took away. Rows come in order. A
 * statement about rows of a block comes after the rows that it names, and before a row of the next block.
 */
export class RemovalVerifier {
  readonly #logId: string;
  readonly #keys: readonly VerifierKey[];
  readonly #faults: FaultList;
  /** Hashes of the current block, from its first row on. */
  #hashes: Uint8Array[] = [];
  #block = 0;
  /** Rows of the current block without content that no statement has named yet. */
  readonly #unexplained = new Set<number>();
  #removed = 0;
  #last: string | null = null;
  #firstUnexplained: number | null = null;

  constructor(logId: string, keys: readonly VerifierKey[], faults: FaultList) {
    this.#logId = logId;
    this.#keys = keys;
    this.#faults = faults;
  }

  /** Rows before this one are explained; null when all are. */
  get firstUnexplained(): number | null {
    return this.#firstUnexplained;
  }

  get removed(): RemovedRows {
    return { rows: this.#removed, last: this.#last };
  }

  /** The next row, whose link is right. */
  addRow(seq: number, hash: Uint8Array, isRemoved: boolean): void {
    if (blockOf(seq) !== this.#block) this.#startBlock(blockOf(seq));
    this.#hashes.push(hash);
    if (!isRemoved) return;
    this.#removed += 1;
    this.#unexplained.add(seq);
  }

  addStatement(note: string): void {
    const verdict = verifyRemoval(note, this.#keys);
    if (verdict.kind === "unknown_key") return this.#addOfStranger(note);
    if (verdict.kind !== "valid") {
      const found = JSON.stringify(note.slice(0, MAX_QUOTED_LENGTH));
      return this.#report(`removal_${verdict.kind}`, null, EXPECTED_NOTE[verdict.kind], found);
    }
    this.#faults.addTrusted();
    const { removal } = verdict;
    const at = removal.ranges[0]?.from ?? null;
    const { logId } = removal;
    if (logId !== this.#logId) return this.#report("removal_of_other_log", at, this.#logId, logId);
    const digest = this.#digestOf(removal);
    if (digest === null) {
      const last = this.#block * REMOVAL_BLOCK_ROWS + this.#hashes.length - 1;
      return this.#report("removal_misplaced", at, "the statement behind its rows", `it behind row ${last}`);
    }
    const [stated, found] = [hex(removal.digest), hex(digest)];
    if (stated !== found) return this.#report("removal_differs", at, stated, found);
    for (const seq of removedSeqs(removal)) this.#unexplained.delete(seq);
    if (this.#last === null || removal.removedAt > this.#last) this.#last = removal.removedAt;
  }

  /** The statement explains nothing, and its signer alone is not known: that is one fault and not two. */
  #addOfStranger(note: string): void {
    const found = JSON.stringify(note.slice(0, MAX_QUOTED_LENGTH));
    const expected = EXPECTED_NOTE.unknown_key;
    this.#faults.addOfNote(note, { code: "removal_unknown_key", at: null, expected, found, row: null });
    const removal = parseRemoval(note);
    const digest = removal === null || removal.logId !== this.#logId ? null : this.#digestOf(removal);
    if (removal === null || digest === null || hex(digest) !== hex(removal.digest)) return;
    for (const seq of removedSeqs(removal)) if (this.#unexplained.delete(seq)) this.#firstUnexplained ??= seq;
  }

  /** After the last row. */
  finish(): void {
    this.#startBlock(this.#block + 1);
  }

  #startBlock(block: number): void {
    // One fault for a block: its rows were taken away together more often than not.
    const [first] = this.#unexplained;
    if (first !== undefined) {
      this.#firstUnexplained ??= first;
      const found = `${String(this.#unexplained.size)} rows without content in its block`;
      this.#report(
        "row_content_missing",
        first,
        "a row, or a signed statement that retention removed it",
        found,
      );
    }
    this.#unexplained.clear();
    this.#hashes = [];
    this.#block = block;
  }

  /** Null when the statement names rows that have not come, or rows of another block. */
  #digestOf(removal: Removal): Uint8Array | null {
    const first = this.#block * REMOVAL_BLOCK_ROWS;
    let digest = emptyRemovalDigest(removal.logId, removal.org);
    for (const seq of removedSeqs(removal)) {
      const hash = this.#hashes[seq - first];
      if (hash === undefined) return null;
      digest = nextRemovalDigest(digest, seq, hash);
    }
    return digest;
  }

  #report(code: FaultCode, at: number | null, expected: string, found: string): void {
    this.#faults.add({ code, at, expected, found, row: null });
  }
}

const EXPECTED_NOTE = {
  malformed: "a signed statement about removed rows",
  unknown_key: "a signature by one of the given keys",
  bad_signature: "a signature that fits the text",
} as const;

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}
