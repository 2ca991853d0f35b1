import { parseJson } from "@svc/text/parse-json";
import type { VerifiableRow } from "./log-verifier.ts";
import { HASH_BYTES } from "./row-hash.ts";

/** Name and version of the export format; a reader must refuse others. */
export const EXPORT_FORMAT = "svc-audit-export/1";

/** How many lines of each kind an export has. Says whether it is complete, not whether it is genuine. */
export interface ExportCounts {
  readonly rows: number;
  readonly checkpoints: number;
  readonly removals: number;
}

/**
 * One line of an export (NDJSON). The header comes first and `end` last. In between, the rows of each log
 * ascend from 0, and a checkpoint of size n stands somewhere before row n of its log.
 * Logs may be mixed. A statement about removed rows stands behind them, before a row of the next block.
 */
export type ExportLine =
  | { readonly kind: "header" }
  | { readonly kind: "row"; readonly row: VerifiableRow }
  | { readonly kind: "checkpoint"; readonly logId: string; readonly note: string }
  | { readonly kind: "removal"; readonly logId: string; readonly note: string }
  | { readonly kind: "end"; readonly counts: ExportCounts };

/** The line's text, newline included. */
export function renderExportLine(line: ExportLine): string {
  return `${JSON.stringify(rawLine(line))}\n`;
}

/**
 * Reads one line with its newline; null unless it is byte for byte what `renderExportLine` writes.
 * So every changed byte of an export is noticed, and no two readers can see different members in one line.
 */
export function parseExportLine(text: string): ExportLine | null {
  const line = parseLine(text);
  return line !== null && renderExportLine(line) === text ? line : null;
}

function rawLine(line: ExportLine): RawLine {
  switch (line.kind) {
    case "header":
      return { format: EXPORT_FORMAT };
    case "row":
      return rawRow(line.row);
    case "checkpoint":
      return { log_id: line.logId, checkpoint: line.note };
    case "removal":
      return { log_id: line.logId, removal: line.note };
    case "end":
      return { end: rawCounts(line.counts) };
  }
}

/** Most exports have no removals, and do not mention them. */
function rawCounts({ rows, checkpoints, removals }: ExportCounts) {
  return removals === 0 ? { rows, checkpoints } : { rows, checkpoints, removals };
}

function rawRow({ logId, seq, prevHash, hash, bytes }: VerifiableRow): RawLine {
  const place = { log_id: logId, seq, prev_hash: hex(prevHash), hash: hex(hash) };
  if (bytes.length === 0) return { ...place, removed: true };
  // Bytes that are not UTF-8 come out changed. The verifier then finds that they do not match their hash.
  const row = asBuffer(bytes).toString();
  return { ...place, row };
}

interface RawLine {
  readonly format?: unknown;
  readonly log_id?: unknown;
  readonly seq?: unknown;
  readonly prev_hash?: unknown;
  readonly hash?: unknown;
  readonly row?: unknown;
  readonly removed?: unknown;
  readonly checkpoint?: unknown;
  readonly removal?: unknown;
  readonly end?: {
    readonly rows?: unknown;
    readonly checkpoints?: unknown;
    readonly removals?: unknown;
  } | null;
}

function parseLine(text: string): ExportLine | null {
  const raw = parseObject(text);
  if (raw === null) return null;
  if (raw.row !== undefined || raw.removed === true) return parseRow(raw);
  if (typeof raw.checkpoint === "string" && typeof raw.log_id === "string") {
    return { kind: "checkpoint", logId: raw.log_id, note: raw.checkpoint };
  }
  if (typeof raw.removal === "string" && typeof raw.log_id === "string") {
    return { kind: "removal", logId: raw.log_id, note: raw.removal };
  }
  if (raw.end !== undefined) return parseEnd(raw);
  return raw.format === EXPORT_FORMAT ? { kind: "header" } : null;
}

function parseRow({ log_id, seq, prev_hash, hash, row = "" }: RawLine): ExportLine | null {
  const prevHash = parseHash(prev_hash);
  const ownHash = parseHash(hash);
  if (typeof log_id !== "string" || typeof row !== "string" || !isCount(seq)) return null;
  // A lone surrogate would become the bytes of another text.
  if (prevHash === null || ownHash === null || !row.isWellFormed()) return null;
  return { kind: "row", row: { logId: log_id, seq, prevHash, hash: ownHash, bytes: Buffer.from(row) } };
}

function parseEnd({ end }: RawLine): ExportLine | null {
  const rows = end?.rows;
  const checkpoints = end?.checkpoints;
  const removals = end?.removals ?? 0;
  if (!isCount(rows) || !isCount(checkpoints) || !isCount(removals)) return null;
  return { kind: "end", counts: { rows, checkpoints, removals } };
}

function parseHash(value: unknown): Uint8Array | null {
  if (typeof value !== "string") return null;
  const bytes = Buffer.from(value, "hex");
  return bytes.length === HASH_BYTES ? bytes : null;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function parseObject(text: string): RawLine | null {
  try {
    const value = parseJson(text);
    return typeof value === "object" && value !== null ? value : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function hex(bytes: Uint8Array): string {
  return asBuffer(bytes).toString("hex");
}
