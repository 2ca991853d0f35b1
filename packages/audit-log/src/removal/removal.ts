import { parseBase64, renderBase64 } from "../base64.ts";
import type { NoteSigner, VerifierKey } from "../note-key.ts";
import { HASH_BYTES } from "../row-hash.ts";
import { parseNote, signNote, verifyNote } from "../signed-note.ts";

const ORIGIN_PREFIX = "svc-audit-removal/";

/**
 * Rows of one block, as count. The rows of one statement are of one block, so a verifier holds the hashes of
 * so many rows and not more.
 */
export const REMOVAL_BLOCK_ROWS = 256;

/** The block of a row. Block n holds the rows from n * 256 on. */
export function blockOf(seq: number): number {
  return Math.floor(seq / REMOVAL_BLOCK_ROWS);
}

/** Consecutive rows; both ends are included. */
export interface SeqRange {
  readonly from: number;
  readonly to: number;
}

/**
 * What a server states about rows that retention removed: of these rows of `org` the number, the link and the
 * hash are left. `digest` covers the hashes, so that the statement fits no other rows.
 */
export interface Removal {
  readonly logId: string;
  readonly org: string;
  /** Ascending, apart from each other, all in one block; at least one. */
  readonly ranges: readonly SeqRange[];
  /** See removal-digest.ts. */
  readonly digest: Uint8Array;
  /** RFC 3339 UTC with milliseconds. */
  readonly removedAt: string;
  /** Every row was older than so many days. */
  readonly days: number;
}

/** Never treat anything but `valid` as evidence. */
export type RemovalVerdict =
  | { readonly kind: "valid"; readonly removal: Removal }
  | { readonly kind: "malformed" | "unknown_key" | "bad_signature" };

/**
 * A C2SP signed note over six lines: `svc-audit-removal/<log id>`, the organization, the rows as
 * `<from>-<to>,...`, their digest in base64, the time of the removal, the days. Throws RangeError when the
 * removal cannot be written down that way.
 */
export function signRemoval(signer: NoteSigner, removal: Removal): string {
  const { logId, org, ranges, digest, removedAt, days } = removal;
  const rows = ranges.map(({ from, to }) => `${String(from)}-${String(to)}`).join();
  const text = `${[ORIGIN_PREFIX + logId, org, rows, renderBase64(digest), removedAt, days].join("\n")}\n`;
  if (parseText(text) === null) throw new RangeError(`not a removal of rows: ${JSON.stringify(text)}`);
  return signNote(signer, text);
}

/** Whether one of the keys has signed a removal. Pass retired keys too: what they signed stays valid. */
export function verifyRemoval(note: string, keys: readonly VerifierKey[]): RemovalVerdict {
  const signed = parseNote(note);
  const removal = signed === null ? null : parseText(signed.text);
  if (signed === null || removal === null) return { kind: "malformed" };
  const trust = verifyNote(signed, keys);
  return trust === "trusted" ? { kind: "valid", removal } : { kind: trust };
}

/** The content of a statement, without a check of its signature. Null if the text is not one. */
export function parseRemoval(note: string): Removal | null {
  const signed = parseNote(note);
  return signed === null ? null : parseText(signed.text);
}

/** The numbers of the rows, ascending. */
export function* removedSeqs({ ranges }: Pick<Removal, "ranges">): Generator<number> {
  for (const { from, to } of ranges) for (let seq = from; seq <= to; seq += 1) yield seq;
}

const NAME = String.raw`[^\s\p{Cc}]+`;
const COUNT = "0|[1-9][0-9]*";
const RANGE = `(?:${COUNT})-(?:${COUNT})`;
const TIME = String.raw`[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z`;
const TEXT = new RegExp(
  `^svc-audit-removal/(${NAME})\n(${NAME})\n(${RANGE}(?:,${RANGE})*)\n([A-Za-z0-9+/]+=*)\n` +
    `(${TIME})\n(${COUNT})\n$`,
  "u",
);

function parseText(text: string): Removal | null {
  const match = TEXT.exec(text);
  if (match === null) return null;
  const [, logId = "", org = "", rows = "", encoded = "", removedAt = "", dayDigits = ""] = match;
  const ranges = parseRanges(rows);
  const digest = parseBase64(encoded);
  const days = Number(dayDigits);
  if (ranges === null || digest?.length !== HASH_BYTES || !Number.isSafeInteger(days)) return null;
  return { logId, org, ranges, digest, removedAt, days };
}

/** Null unless the ranges ascend, leave a row between them, and lie in one block. */
function parseRanges(text: string): readonly SeqRange[] | null {
  const ranges = text.split(",").map((range) => {
    const [from = Number.NaN, to = Number.NaN] = range.split("-").map(Number);
    return { from, to };
  });
  const first = ranges[0]?.from ?? Number.NaN;
  let next = first;
  for (const { from, to } of ranges) {
    if (!Number.isSafeInteger(to) || from < next || to < from || blockOf(to) !== blockOf(first)) return null;
    next = to + 2;
  }
  return ranges;
}
