import { signCheckpoint } from "@svc/audit-log/checkpoint";
import { renderExportLine } from "@svc/audit-log/export-line";
import type { VerifiableRow } from "@svc/audit-log/log-verifier";
import { generateSigningKey, type NoteSigner, parseSigner } from "@svc/audit-log/note-key";
import { parseExport } from "@svc/audit-log/parse-export";
import { genesisHash, rowHash } from "@svc/audit-log/row-hash";
import { verifyExport } from "@svc/audit-log/verify-export";
import { verifyLog } from "@svc/audit-log/verify-log";
import { atLeast, figure } from "../figure.ts";
import type { Scenario } from "../scenario.ts";
import { takeTurns } from "../take-turns.ts";
import { auditRowText } from "./audit-row-text.ts";

const LOG_ID = "gw-bench";

/** Rows of the chain, as count; checkpoints stand as far apart as a busy second of rows. */
const ROWS = 100_000;
const ROWS_PER_CHECKPOINT = 10_000;

/** Size in bytes of the pieces in which an export comes over the network. */
const CHUNK_BYTES = 64 * 1024;

export const auditVerify: Scenario = {
  name: "audit-verify",
  title: "Verifying a signed chain",
  run: async ({ rounds }) => {
    const signer = parseSigner("svc-bench", generateSigningKey());
    const rows = chain();
    const notes = checkpoints(rows, signer);
    const exported = exportOf(rows, notes);
    const sides = [() => timeRows(rows, notes, signer), () => timeExport(exported, signer)];
    await takeTurns(1, sides);
    const [rowsPerSecond = [], exportPerSecond = []] = await takeTurns(rounds, sides);
    return {
      kind: "measured",
      figures: [
        figure("rows as stored", "1/s", rowsPerSecond, atLeast(100_000)),
        figure("rows of an export, parsed and verified", "1/s", exportPerSecond),
      ],
      notes: [
        `${ROWS} rows of ${rows[0]?.bytes.byteLength ?? 0} bytes, from memory: reading the disk comes on top`,
      ],
    };
  },
};

async function timeRows(
  rows: readonly VerifiableRow[],
  notes: readonly string[],
  signer: NoteSigner,
): Promise<number> {
  const startedMs = performance.now();
  const report = await verifyLog({
    logId: LOG_ID,
    rows: each(rows),
    checkpoints: notes,
    keys: [signer.verifier],
  });
  requireIntact([report]);
  return perSecond(startedMs);
}

async function timeExport(exported: Buffer, signer: NoteSigner): Promise<number> {
  const startedMs = performance.now();
  const records = parseExport(each(chunksOf(exported)));
  requireIntact(await verifyExport({ records, evidence: each([]), keys: [signer.verifier] }));
  return perSecond(startedMs);
}

function perSecond(startedMs: number): number {
  return (ROWS * 1_000) / (performance.now() - startedMs);
}

function requireIntact(reports: readonly { readonly verdict: string; readonly rows: number }[]): void {
  const [report] = reports;
  if (reports.length === 1 && report?.verdict === "intact" && report.rows === ROWS) return;
  throw new Error(`expected one intact log of ${ROWS} rows, found ${JSON.stringify(reports)}`);
}

function chain(): VerifiableRow[] {
  let prevHash = genesisHash(LOG_ID);
  return Array.from({ length: ROWS }, (_, seq) => {
    const bytes = Buffer.from(auditRowText(seq));
    const row = { logId: LOG_ID, seq, prevHash, hash: rowHash(prevHash, bytes), bytes };
    prevHash = row.hash;
    return row;
  });
}

function checkpoints(rows: readonly VerifiableRow[], signer: NoteSigner): string[] {
  return Array.from({ length: ROWS / ROWS_PER_CHECKPOINT }, (_, at) => {
    const size = (at + 1) * ROWS_PER_CHECKPOINT;
    const hash = rows[size - 1]?.hash ?? genesisHash(LOG_ID);
    return signCheckpoint(signer, { logId: LOG_ID, size, hash });
  });
}

function exportOf(rows: readonly VerifiableRow[], notes: readonly string[]): Buffer {
  const counts = { rows: rows.length, checkpoints: notes.length, removals: 0 };
  const lines = [
    renderExportLine({ kind: "header" }),
    ...notes.map((note) => renderExportLine({ kind: "checkpoint", logId: LOG_ID, note })),
    ...rows.map((row) => renderExportLine({ kind: "row", row })),
    renderExportLine({ kind: "end", counts }),
  ];
  return Buffer.from(lines.join(""));
}

function* chunksOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.byteLength; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES);
}

async function* each<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  yield* items;
}
