import type { AuditStore, StoredCheckpoint, StoredRow } from "@svc/store/ports/audit-store";
import { describe, expect, it } from "vitest";
import { auditExport } from "./audit-export.ts";

const HASH = new Uint8Array(32);

/** A log of so many rows, with checkpoints of such sizes. */
function logOf(rows: number, checkpointSizes: readonly number[]): AuditStore {
  const row = (seq: number): StoredRow => ({
    logId: "gw",
    seq,
    prevHash: HASH,
    hash: HASH,
    bytes: Buffer.from("{}"),
  });
  const checkpoints: StoredCheckpoint[] = checkpointSizes.map((size) => ({
    logId: "gw",
    size,
    note: `of ${String(size)}`,
  }));
  const store: Pick<AuditStore, "heads" | "rows" | "checkpoints"> = {
    heads: async () => [{ logId: "gw", size: rows, hash: HASH }],
    rows: async (_logId, from, limit) =>
      Array.from({ length: Math.max(0, Math.min(limit, rows - from)) }, (_, at) => row(from + at)),
    checkpoints: async (_logId, after, limit) =>
      checkpoints.filter(({ size }) => size > after).slice(0, limit),
  };
  return store as AuditStore;
}

async function linesOf(
  audit: AuditStore,
  sign = async (): Promise<void> => undefined,
): Promise<Record<string, unknown>[]> {
  let text = "";
  for await (const piece of auditExport({ audit, org: "default", sign })) text += piece;
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe("auditExport", () => {
  it("has a header, per log its checkpoints and rows, and an end that counts them", async () => {
    const lines = await linesOf(logOf(1_203, [400, 1_203]));
    expect(lines[0]).toHaveProperty("format");
    expect(lines.slice(1, 3).map(({ checkpoint }) => checkpoint)).toEqual(["of 400", "of 1203"]);
    expect(lines.slice(3, -1).map(({ seq }) => seq)).toEqual(Array.from({ length: 1_203 }, (_, seq) => seq));
    expect(lines.at(-1)).toEqual({ end: { rows: 1_203, checkpoints: 2 } });
  });

  // proves FAIR-08
  it("reads 1 MiB of rows at once, and goes on only when the piece before was taken", async () => {
    const audit = logOf(10, []);
    const reads: unknown[] = [];
    const rows: AuditStore["rows"] = async (logId, from, limit, maxBytes) => {
      reads.push([from, limit, maxBytes]);
      const [first] = await audit.rows(logId, from, 1);
      return first === undefined
        ? []
        : [{ ...first, bytes: Buffer.from(JSON.stringify("x".repeat(70_000))) }];
    };
    const sign = async (): Promise<void> => undefined;
    const pieces = auditExport({ audit: { ...audit, rows }, org: "default", sign });
    await pieces.next();
    await new Promise(setImmediate);
    expect(reads).toEqual([[0, 10, 1024 * 1024]]);
    let lines = 1;
    for await (const piece of pieces) lines += piece.split("\n").length - 1;
    expect([reads.length, lines]).toEqual([10, 11]);
  });

  it("leaves out rows that are missing", async () => {
    const audit = logOf(6, []);
    const rows: AuditStore["rows"] = async (...range) =>
      (await audit.rows(...range)).filter(({ seq }) => seq !== 2 && seq !== 3);
    const lines = await linesOf({ ...audit, rows });
    expect(lines.flatMap(({ seq }) => seq ?? [])).toEqual([0, 1, 4, 5]);
  });

  // proves AUD-32
  it("ends without its last line before the first row of another organization", async () => {
    const audit = logOf(3, []);
    const row = (org: string): string =>
      JSON.stringify({ v: 1, kind: "key", time: "2026-01-01T00:00:00.000Z", org, args: { org: "default" } });
    const rows: AuditStore["rows"] = async (...range) =>
      (await audit.rows(...range)).map((stored) => ({
        ...stored,
        bytes: Buffer.from(row(stored.seq === 1 ? "other" : "default")),
      }));
    const pieces: string[] = [];
    const sign = async (): Promise<void> => undefined;
    const read = async (): Promise<void> => {
      for await (const piece of auditExport({ audit: { ...audit, rows }, org: "default", sign }))
        pieces.push(piece);
    };
    await expect(read()).rejects.toThrow("row 1 of the log gw belongs to another organization");
    expect(pieces.join("")).not.toContain('"other');
  });

  it("L2: keeps the checkpoint that is ahead of a log whose end was cut off", async () => {
    const lines = await linesOf(logOf(3, [2, 5]));
    expect(lines.flatMap(({ checkpoint }) => checkpoint ?? [])).toEqual(["of 2", "of 5"]);
  });

  // proves AUD-28
  it("ends with the last row that was signed for it, though rows arrive meanwhile", async () => {
    let audit = logOf(10, [8]);
    const live: AuditStore = {
      ...audit,
      heads: () => audit.heads(),
      rows: (...asked) => audit.rows(...asked),
      checkpoints: (...asked) => audit.checkpoints(...asked),
    };
    const lines = await linesOf(live, async () => {
      audit = logOf(14, [8, 12]);
    });
    expect(lines.at(-1)).toEqual({ end: { rows: 12, checkpoints: 2 } });
  });

  // proves AUD-28
  it("keeps rows that could not be signed: the verifier reports them", async () => {
    expect((await linesOf(logOf(10, [8]))).at(-1)).toEqual({ end: { rows: 10, checkpoints: 1 } });
  });
});
