import type { AuditStore } from "@svc/store/ports/audit-store";
import { NO_CLAIMS } from "@svc/store/ports/claims";
import { openMemoryStore } from "@svc/store/testing/memory-store";
import { describe, expect, it } from "vitest";
import { auditExport } from "./audit-export.ts";

const MAX_PIECE_BYTES = 64 * 1024;

const signNothing = async (): Promise<void> => undefined;

/** A row of an organization, of so many bytes at least. */
function rowOf(org: string, bytes = 0): string {
  return JSON.stringify({
    v: 1,
    kind: "key",
    time: "2026-01-02T03:04:05.678Z",
    org,
    args: "x".repeat(bytes),
  });
}

/** A log that grows as a test says. */
function emptyLog() {
  const { audit, ledger } = openMemoryStore({ logId: "gw" });
  const append = async (rows: readonly string[]): Promise<void> => {
    await ledger.commit(rows.map((row) => ({ row, claims: NO_CLAIMS })));
  };
  const sign = (size: number): Promise<void> =>
    audit.appendCheckpoint({ logId: "gw", size, note: `of ${String(size)}` });
  return { audit, append, sign };
}

/** A log of so many rows, with checkpoints of such sizes. */
async function logOf(rows: number, checkpointSizes: readonly number[]) {
  const log = emptyLog();
  await log.append(Array(rows).fill(rowOf("default")));
  for (const size of checkpointSizes) await log.sign(size);
  return log;
}

async function linesOf(audit: AuditStore, sign = signNothing): Promise<Record<string, unknown>[]> {
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
    const { audit } = await logOf(1_203, [400, 1_203]);
    const lines = await linesOf(audit);
    expect(lines[0]).toHaveProperty("format");
    expect(lines.slice(1, 3).map(({ checkpoint }) => checkpoint)).toEqual(["of 400", "of 1203"]);
    expect(lines.slice(3, -1).map(({ seq }) => seq)).toEqual(Array.from({ length: 1_203 }, (_, seq) => seq));
    expect(lines.at(-1)).toEqual({ end: { rows: 1_203, checkpoints: 2 } });
  });

  // proves FAIR-08
  it("reads a page at once, and goes on only when all of it was taken, in pieces of 64 KiB", async () => {
    const { audit, append } = emptyLog();
    // Two of these rows are longer than a page.
    for (let at = 0; at < 4; at += 1) await append([rowOf("default", 600_000)]);
    const froms: number[] = [];
    const exportRows: AuditStore["exportRows"] = (range) => {
      froms.push(range.from);
      return audit.exportRows(range);
    };
    let text = "";
    const request = { audit: { ...audit, exportRows }, org: "default", sign: signNothing };
    for await (const piece of auditExport(request)) {
      expect(piece.length).toBeLessThanOrEqual(MAX_PIECE_BYTES);
      text += Buffer.from(piece).toString();
      await new Promise(setImmediate);
      const begun = text.split("\n").filter((line) => line.startsWith('{"log_id"')).length;
      expect(froms).toEqual([0, 1, 2, 3].slice(0, begun));
    }
    expect(froms).toHaveLength(4);
  });

  // proves AUD-32
  it("ends without its last line before the first row of another organization", async () => {
    const { audit, append } = await logOf(500, []);
    await append([rowOf("other"), rowOf("default")]);
    let text = "";
    const read = async (): Promise<void> => {
      const pieces = auditExport({ audit, org: "default", sign: signNothing });
      for await (const piece of pieces) text += Buffer.from(piece).toString();
    };
    await expect(read()).rejects.toThrow("row 500 of the log gw belongs to another organization");
    expect(text).toContain('"seq":499');
    expect(text).not.toContain("other");
    expect(text).not.toContain('{"end"');
  });

  it("L2: keeps the checkpoint that is ahead of a log whose end was cut off", async () => {
    const { audit } = await logOf(3, [2, 5]);
    expect((await linesOf(audit)).flatMap(({ checkpoint }) => checkpoint ?? [])).toEqual(["of 2", "of 5"]);
  });

  // proves AUD-28
  it("ends with the last row that was signed for it, though rows arrive meanwhile", async () => {
    const { audit, append, sign } = await logOf(10, [8]);
    const lines = await linesOf(audit, async () => {
      await append(Array(4).fill(rowOf("default")));
      await sign(12);
    });
    expect(lines.at(-1)).toEqual({ end: { rows: 12, checkpoints: 2 } });
  });

  // proves AUD-28
  it("keeps rows that could not be signed: the verifier reports them", async () => {
    const { audit } = await logOf(10, [8]);
    expect((await linesOf(audit)).at(-1)).toEqual({ end: { rows: 10, checkpoints: 1 } });
  });
});
