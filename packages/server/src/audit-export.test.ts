import type { AuditStore, ExportPage, StoredCheckpoint } from "@svc/store/ports/audit-store";
import { describe, expect, it } from "vitest";
import { auditExport } from "./audit-export.ts";

const HASH = new Uint8Array(32);

/** A log of so many rows, with checkpoints of such sizes; a page has 500 rows. */
function logOf(rows: number, checkpointSizes: readonly number[]): AuditStore {
  const checkpoints: StoredCheckpoint[] = checkpointSizes.map((size) => ({
    logId: "gw",
    size,
    note: `of ${String(size)}`,
  }));
  const store: Pick<AuditStore, "heads" | "exportRows" | "checkpoints"> = {
    heads: async () => [{ logId: "gw", size: rows, hash: HASH }],
    exportRows: async ({ from, end }) => pageOf(from, Math.min(end, rows, from + 500), end),
    checkpoints: async (_logId, after, limit) =>
      checkpoints.filter(({ size }) => size > after).slice(0, limit),
  };
  return store as AuditStore;
}

function pageOf(from: number, to: number, end: number): ExportPage {
  const seqs = Array.from({ length: to - from }, (_, at) => from + at);
  const lines = Buffer.from(seqs.map((seq) => `{"seq":${String(seq)}}\n`).join(""));
  return { kind: "lines", lines, rows: seqs.length, next: to < end && to > from ? to : null };
}

async function linesOf(
  audit: AuditStore,
  sign = async (): Promise<void> => undefined,
): Promise<Record<string, unknown>[]> {
  let text = "";
  for await (const piece of auditExport({ audit, org: "default", sign }))
    text += Buffer.from(piece).toString();
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
  it("reads a page at once, and goes on only when all of it was taken, in pieces of 64 KiB", async () => {
    const audit = logOf(10, []);
    const froms: number[] = [];
    const exportRows: AuditStore["exportRows"] = async ({ from }) => {
      froms.push(from);
      const lines = Buffer.alloc(150_000, "x");
      return { kind: "lines", lines, rows: 1, next: from === 9 ? null : from + 1 };
    };
    const sign = async (): Promise<void> => undefined;
    const pieces = auditExport({ audit: { ...audit, exportRows }, org: "default", sign });
    await pieces.next();
    for (let at = 0; at < 3; at += 1) {
      expect((await pieces.next()).value?.length).toBeLessThanOrEqual(64 * 1024);
      await new Promise(setImmediate);
      expect(froms).toEqual([0]);
    }
    await pieces.next();
    expect(froms).toEqual([0, 1]);
    for await (const piece of pieces) expect(piece.length).toBeLessThanOrEqual(64 * 1024);
    expect(froms).toHaveLength(10);
  });

  // proves AUD-32
  it("ends without its last line before the first row of another organization", async () => {
    const audit = logOf(3, []);
    const exportRows: AuditStore["exportRows"] = async ({ from, org }) =>
      from === 0 && org === "default" ? { ...pageOf(0, 1, 1), next: 1 } : { kind: "foreign_row", seq: 1 };
    let text = "";
    const sign = async (): Promise<void> => undefined;
    const read = async (): Promise<void> => {
      const pieces = auditExport({ audit: { ...audit, exportRows }, org: "default", sign });
      for await (const piece of pieces) text += Buffer.from(piece).toString();
    };
    await expect(read()).rejects.toThrow("row 1 of the log gw belongs to another organization");
    expect(text).not.toContain("end");
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
      exportRows: (...asked) => audit.exportRows(...asked),
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
