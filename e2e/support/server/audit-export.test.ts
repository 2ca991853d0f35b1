import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { checkedRows, withoutRow } from "./audit-export.ts";

const sha256 = (bytes: string | Buffer): string => createHash("sha256").update(bytes).digest("hex");

const ROWS = ["allow", "deny", "allow"].map((decision) => JSON.stringify({ kind: "decision", decision }));

/** The lines of a sound export of one log. */
function exportLines(): Record<string, unknown>[] {
  let head = sha256("svc-audit-log/v1\nlog\n");
  const rows = ROWS.map((row, seq) => {
    const prev_hash = head;
    head = sha256(Buffer.concat([Buffer.from(head, "hex"), Buffer.from(row)]));
    return { log_id: "log", seq, prev_hash, hash: head, row };
  });
  return [{ format: "svc-audit-export/1" }, ...rows, { end: { rows: rows.length, checkpoints: 0 } }];
}

const read = (lines: readonly object[]) => checkedRows(lines.map((line) => JSON.stringify(line)).join("\n"));

describe("the independent reader of exports", () => {
  it("reads an intact export", () => {
    expect(read(exportLines()).map(({ seq }) => seq)).toEqual([0, 1, 2]);
  });

  it.each([
    { name: "a changed row", change: (lines: Record<string, unknown>[]) => ({ ...lines[2], row: ROWS[0] }) },
    { name: "a changed hash", change: (lines: Record<string, unknown>[]) => ({ ...lines[2], hash: "00" }) },
    { name: "a wrong number", change: (lines: Record<string, unknown>[]) => ({ ...lines[2], seq: 2 }) },
    {
      name: "a row that hangs elsewhere",
      change: (lines: Record<string, unknown>[]) => ({ ...lines[1], seq: 1 }),
    },
    { name: "no row in its place", change: () => ({}) },
  ])("refuses $name", ({ change }) => {
    const lines = exportLines();
    expect(() => read(lines.with(2, change(lines)))).toThrow(/breaks at|cut short/);
  });

  it("refuses a truncated export", () => {
    expect(() => read(exportLines().slice(0, -2))).toThrow("cut short");
  });

  it("finds allows that have no row, or that share one", () => {
    expect(withoutRow(["log.0", "log.2"], read(exportLines()))).toEqual([]);
    expect(withoutRow(["log.0", "log.1", "log.3", "log.0"], read(exportLines()))).toEqual([
      "log.1",
      "log.3",
      "log.0",
    ]);
  });
});
