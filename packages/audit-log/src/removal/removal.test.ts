import { Readable } from "node:stream";
import { runs } from "@svc/text/testing/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ExportLine, renderExportLine } from "../export-line.ts";
import type { ExportError } from "../framed-lines.ts";
import { chain, checkpointOf, goldenSigner, testSigner } from "../golden-chain.suite.ts";
import type { VerifiableRow } from "../log-verifier.ts";
import { parseExport } from "../parse-export.ts";
import { verifyExport } from "../verify-export.ts";
import { type Removal, type SeqRange, signRemoval } from "./removal.ts";
import { emptyRemovalDigest, nextRemovalDigest } from "./removal-digest.ts";

const LOG = "gw-1";

const textOf = (at: number): string =>
  JSON.stringify({ v: 1, kind: "key", org: "a", time: "2026-11-02T09:00:00.000Z", key_id: `key-${at}` });

/** Two blocks and a piece of a third. */
const full = chain(
  LOG,
  Array.from({ length: 520 }, (_, at) => textOf(at)),
);

function removalOf(ranges: readonly SeqRange[], changes: Partial<Removal> = {}): Removal {
  let digest = emptyRemovalDigest(LOG, "a");
  for (const { seq, hash } of full)
    if (ranges.some(({ from, to }) => from <= seq && seq <= to))
      digest = nextRemovalDigest(digest, seq, hash);
  return {
    logId: LOG,
    org: "a",
    ranges,
    digest,
    removedAt: "2027-11-03T00:00:00.000Z",
    days: 365,
    ...changes,
  };
}

const removalLine = (removal: Removal, signer = goldenSigner): ExportLine => ({
  kind: "removal",
  logId: LOG,
  note: signRemoval(signer, removal),
});

const FIRST = [
  { from: 0, to: 9 },
  { from: 12, to: 12 },
];
const SECOND = [{ from: 250, to: 255 }];
const THIRD = [{ from: 256, to: 511 }];

const isRemoved = (seq: number): boolean =>
  [...FIRST, ...SECOND, ...THIRD].some(({ from, to }) => from <= seq && seq <= to);

const emptied = (row: VerifiableRow): VerifiableRow => ({ ...row, bytes: new Uint8Array() });

function linesOf(
  statements: Readonly<Record<number, readonly ExportLine[]>>,
  rows = full,
): readonly string[] {
  const body = rows.flatMap((row): readonly ExportLine[] => [
    { kind: "row", row: isRemoved(row.seq) ? emptied(row) : row },
    ...(statements[row.seq] ?? []),
  ]);
  return recounted([
    renderExportLine({ kind: "header" }),
    renderExportLine({ kind: "checkpoint", logId: LOG, note: checkpointOf(full, full.length) }),
    ...body.map(renderExportLine),
  ]);
}

function recounted(lines: readonly string[]): readonly string[] {
  const body = lines.filter((line) => !line.startsWith('{"end"'));
  const count = (member: string): number => body.filter((line) => line.includes(`"${member}":`)).length;
  const counts = { rows: count("seq"), checkpoints: count("checkpoint"), removals: count("removal") };
  return [...body, renderExportLine({ kind: "end", counts })];
}

const GENUINE = {
  255: [removalLine(removalOf(FIRST)), removalLine(removalOf(SECOND))],
  511: [removalLine(removalOf(THIRD))],
};
const genuine = linesOf(GENUINE);

async function reportsOf(lines: readonly string[] | Buffer) {
  const bytes = Buffer.isBuffer(lines) ? lines : Buffer.from(lines.join(""));
  const records = parseExport(Readable.from([bytes]));
  return verifyExport({ records, evidence: Readable.from([]), keys: [goldenSigner.verifier] });
}

async function outcome(lines: readonly string[] | Buffer): Promise<string> {
  try {
    const [report] = await reportsOf(lines);
    return report?.verdict === "broken"
      ? report.faults.map(({ code }) => code).join()
      : String(report?.verdict);
  } catch (error) {
    return (error as ExportError).code;
  }
}

// proves AUD-24, AUD-36
describe("an export with rows that retention removed", () => {
  it("is intact, and says how many rows are gone and since when", async () => {
    const removed = { rows: 273, last: "2027-11-03T00:00:00.000Z" };
    expect(await reportsOf(genuine)).toMatchObject([
      { verdict: "intact", rows: 520, signedRows: 520, removed },
    ]);
  });

  it("is intact when a row that a statement names is there: exports run beside removals", async () => {
    const at = genuine.findIndex((line) => line.includes('"seq":3,'));
    const [, , , row] = full;
    if (row === undefined) throw new Error("no row 3");
    expect(await outcome(genuine.with(at, renderExportLine({ kind: "row", row })))).toBe("intact");
  });

  it.each<[string, Readonly<Record<number, readonly ExportLine[]>>, string]>([
    ["no statement names a row", { ...GENUINE, 511: [] }, "row_content_missing"],
    [
      "a statement names too few",
      { ...GENUINE, 511: [removalLine(removalOf([{ from: 256, to: 510 }]))] },
      "row_content_missing",
    ],
    [
      "another key signed",
      { ...GENUINE, 511: [removalLine(removalOf(THIRD), testSigner("x", 9))] },
      "removal_unknown_key",
    ],
    [
      "the statement is about another log",
      { ...GENUINE, 511: [removalLine(removalOf(THIRD, { logId: "gw-2" }))] },
      "removal_of_other_log",
    ],
    [
      "it has another digest",
      { ...GENUINE, 511: [removalLine(removalOf(THIRD, { digest: new Uint8Array(32) }))] },
      "removal_differs",
    ],
    [
      "it names another organization",
      { ...GENUINE, 511: [removalLine(removalOf(THIRD, { org: "b" }))] },
      "removal_differs",
    ],
    ["it comes a block later", { 255: GENUINE[255], 519: GENUINE[511] }, "removal_misplaced"],
    ["it comes before its last row", { 255: GENUINE[255], 500: GENUINE[511] }, "removal_misplaced"],
  ])("is broken when %s", async (_, statements, code) => {
    expect(await outcome(linesOf(statements))).toContain(code);
  });

  it("is broken when the hashes of removed rows were replaced, link by link", async () => {
    const other = Buffer.alloc(32, 7);
    const forged = full.map((row) => ({
      ...row,
      ...(row.seq === 300 ? { hash: other } : {}),
      ...(row.seq === 301 ? { prevHash: other } : {}),
    }));
    expect(await outcome(linesOf(GENUINE, forged))).toContain("removal_differs");
  });

  it("is broken when somebody took the content of one more row away", async () => {
    for (const seq of [10, 100, 515]) {
      const at = genuine.findIndex((line) => line.includes(`"seq":${String(seq)},`));
      const row = full[seq];
      if (row === undefined) throw new Error("no such row");
      expect(await outcome(genuine.with(at, renderExportLine({ kind: "row", row: emptied(row) })))).toBe(
        "row_content_missing",
      );
    }
  });

  it("any one line removed, repeated or exchanged is found, also with new counts", async () => {
    // A statement may come twice, and those of one block in any order: both say the same.
    const rowsOf = (lines: readonly string[]): string =>
      lines.filter((line) => line.includes('"seq":') || line.startsWith('{"format"')).join("");
    const sample = [0, 2, 11, 14, 250, 257, 258, 259, 260, 515, 516, 517, genuine.length - 1];
    for (const at of sample) {
      const line = genuine[at] ?? "";
      const changed = [genuine.toSpliced(at, 1), genuine.toSpliced(at, 0, line)];
      for (const other of sample)
        if (other > at) changed.push(genuine.with(at, genuine[other] ?? "").with(other, line));
      for (const lines of changed.map(recounted)) {
        const isSame = lines.join("") === genuine.join("");
        const isIntact = (await outcome(lines)) === "intact";
        const isWrong = isIntact && !isSame && rowsOf(lines) !== rowsOf(genuine);
        expect({ at, isWrong }).toEqual({ at, isWrong: false });
      }
      expect(await outcome(genuine.toSpliced(at, 1))).not.toBe("intact");
    }
  });

  it("any changed byte is found", async () => {
    const bytes = Buffer.from(genuine.join(""));
    const change = fc.tuple(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }));
    await fc.assert(
      fc.asyncProperty(change, async ([at, bits]) => {
        const changed = Buffer.from(bytes);
        changed[at] = (changed[at] ?? 0) ^ bits;
        expect(await outcome(changed)).not.toBe("intact");
      }),
      { numRuns: runs(400, 4_000) },
    );
  });
});

describe("the signed statement about removed rows", () => {
  it.each<[string, Partial<Removal>]>([
    ["no rows", { ranges: [] }],
    ["rows of two blocks", { ranges: [{ from: 255, to: 256 }] }],
    [
      "rows twice",
      {
        ranges: [
          { from: 0, to: 3 },
          { from: 3, to: 4 },
        ],
      },
    ],
    [
      "two ranges that are one",
      {
        ranges: [
          { from: 0, to: 3 },
          { from: 4, to: 5 },
        ],
      },
    ],
    ["a range that ends before it begins", { ranges: [{ from: 5, to: 4 }] }],
    ["a line break in the organization", { org: "a\nb" }],
    ["a short digest", { digest: new Uint8Array(31) }],
    ["another form of time", { removedAt: "2027-11-03" }],
  ])("is not signed with %s", (_, changes) => {
    expect(() => signRemoval(goldenSigner, removalOf(FIRST, changes))).toThrow(RangeError);
  });
});
