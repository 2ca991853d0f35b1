import { parseBase64, renderBase64 } from "../base64.ts";
import type { NoteSigner, VerifierKey } from "../note-key.ts";
import { parseJsonObject } from "../parse-json-object.ts";
import { HASH_BYTES } from "../row-hash.ts";
import { parseNote, signNote, verifyNote } from "../signed-note.ts";
import { isNoFilter, NO_FILTER, parseFilter, type RowFilter, renderFilter } from "./row-filter.ts";

const ORIGIN_PREFIX = "svc-audit-excerpt/";

/**
 * What a server states about the rows of one organization in a log that several organizations share.
 *
 * Only who holds all rows can compute the chain. The reader of an excerpt cannot, because a hash of a row
 * that is left out would let it test guesses of that row. So the server computes the chain, and signs what
 * it found: the rows that `digest` covers are all rows of `org` that fit `filter` among the first `size` rows
 * of the log, whose last hash is `head`.
 */
export interface Excerpt {
  readonly logId: string;
  readonly org: string;
  /** Rows of the whole log, as count. */
  readonly size: number;
  /** Hash of its last row; the genesis hash when `size` is 0. */
  readonly head: Uint8Array;
  /** Rows that are shown, as count. */
  readonly rows: number;
  /** See excerpt-digest.ts. */
  readonly digest: Uint8Array;
  readonly filter: RowFilter;
  /** Rows of the organization that retention has removed from the whole log, as count. */
  readonly removed: number;
}

/** Never treat anything but `valid` as evidence. */
export type ExcerptVerdict =
  | { readonly kind: "valid"; readonly excerpt: Excerpt }
  | { readonly kind: "malformed" | "unknown_key" | "bad_signature" };

/**
 * A C2SP signed note over six lines: `svc-audit-excerpt/<log id>`, the organization, the number of rows of
 * the log, its head hash in base64, the number of the shown rows, their digest in base64. Two more lines, the
 * filter and the number of removed rows, follow when a filter was asked for or rows were removed. Throws
 * RangeError when the excerpt cannot be written down that way.
 */
export function signExcerpt(signer: NoteSigner, excerpt: Excerpt): string {
  const { logId, org, size, head, rows, digest, filter, removed } = excerpt;
  const lines = [ORIGIN_PREFIX + logId, org, size, renderBase64(head), rows, renderBase64(digest)];
  if (!isNoFilter(filter) || removed > 0) lines.push(renderFilter(filter), removed);
  const text = `${lines.join("\n")}\n`;
  if (parseText(text) === null) throw new RangeError(`not an excerpt of a log: ${JSON.stringify(text)}`);
  return signNote(signer, text);
}

/** Whether one of the keys has signed an excerpt. Pass retired keys too: what they signed stays valid. */
export function verifyExcerptNote(note: string, keys: readonly VerifierKey[]): ExcerptVerdict {
  const signed = parseNote(note);
  const excerpt = signed === null ? null : parseText(signed.text);
  if (signed === null || excerpt === null) return { kind: "malformed" };
  const trust = verifyNote(signed, keys);
  return trust === "trusted" ? { kind: "valid", excerpt } : { kind: trust };
}

const NAME = String.raw`[^\s\p{Cc}]+`;
const COUNT = "0|[1-9][0-9]*";
const BASE64 = "[A-Za-z0-9+/]+=*";
const TEXT = new RegExp(
  `^svc-audit-excerpt/(${NAME})\n(${NAME})\n(${COUNT})\n(${BASE64})\n(${COUNT})\n(${BASE64})\n` +
    String.raw`(?:(\{[^\n]*\})\n(${COUNT})\n)?$`,
  "u",
);

function parseText(text: string): Excerpt | null {
  const match = TEXT.exec(text);
  if (match === null) return null;
  const [, logId = "", org = "", sizeDigits = "", headText = "", rowsDigits = "", digestText = ""] = match;
  const [size, rows, removed] = [Number(sizeDigits), Number(rowsDigits), Number(match[8] ?? 0)];
  const filter = match[7] === undefined ? NO_FILTER : readFilter(match[7]);
  const [head, digest] = [parseBase64(headText), parseBase64(digestText)];
  if (!Number.isSafeInteger(size) || rows + removed > size || filter === null) return null;
  // Without a filter and removed rows the two lines are left out: each statement has one spelling.
  if (match[7] !== undefined && isNoFilter(filter) && removed === 0) return null;
  if (head?.length !== HASH_BYTES || digest?.length !== HASH_BYTES) return null;
  return { logId, org, size, head, rows, digest, filter, removed };
}

function readFilter(text: string): RowFilter | null {
  const filter = parseFilter(parseJsonObject(text) ?? undefined);
  return filter !== null && renderFilter(filter) === text ? filter : null;
}
