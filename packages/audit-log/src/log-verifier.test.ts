// long: it verifies long logs after many manipulations
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chain, checkpointOf, goldenRows, goldenSigner, testSigner } from "./golden-chain.suite.ts";
import { MAX_CHECKPOINT_FAULTS } from "./log-report.ts";
import { LogVerifier, type VerifiableRow } from "./log-verifier.ts";
import { genesisHash, HASH_BYTES } from "./row-hash.ts";
import { signNote } from "./signed-note.ts";

const LOG = "gw-1";
const keys = [goldenSigner.verifier];
const texts = (count: number) => Array.from({ length: count }, (_, index) => `{"row":${index}}`);
const rows = chain(LOG, texts(6));
const last = rows.length - 1;

function verify(given: readonly VerifiableRow[], notes: readonly string[] = [checkpointOf(rows, 6)]) {
  const verifier = new LogVerifier(LOG, keys);
  for (const note of notes) verifier.addCheckpoint(note);
  for (const row of given) verifier.addRow(row);
  return verifier.report();
}

const without = (index: number) => rows.toSpliced(index, 1);
const swapped = (index: number) => rows.toSpliced(index, 2, rows[index + 1]!, rows[index]!);
const changed = (index: number, change: Partial<VerifiableRow>) =>
  rows.with(index, { ...rows[index]!, ...change });

describe("LogVerifier on rows", () => {
  it("calls a whole, signed log intact", () => {
    expect(verify(rows)).toMatchObject({
      verdict: "intact",
      rows: 6,
      goodRows: 6,
      signedRows: 6,
      checkpoints: 1,
      faults: [],
    });
  });

  it("calls an empty log intact", () => {
    expect(verify([], [])).toMatchObject({
      verdict: "intact",
      rows: 0,
      head: Buffer.from(genesisHash(LOG)).toString("hex"),
    });
  });

  it("never calls rows intact that nobody has signed", () => {
    expect(verify(rows, []).verdict).toBe("unsigned");
    expect(verify(rows, [checkpointOf(rows, 0)]).verdict).toBe("unsigned");
  });

  const cases: readonly [string, readonly VerifiableRow[], { code: string; at: number }][] = [
    ["a changed text", changed(2, { bytes: Buffer.from('{"row":9}') }), { code: "row_hash_differs", at: 2 }],
    ["a changed hash", changed(2, { hash: new Uint8Array(HASH_BYTES) }), { code: "row_hash_differs", at: 2 }],
    [
      "a changed link",
      changed(2, { prevHash: new Uint8Array(HASH_BYTES) }),
      { code: "row_link_differs", at: 2 },
    ],
    ["a shortened hash", changed(2, { prevHash: new Uint8Array(3) }), { code: "row_link_differs", at: 2 }],
    ["another number", changed(2, { seq: 3 }), { code: "row_missing", at: 2 }],
    ["another log's row", changed(2, { logId: "gw-2" }), { code: "row_of_other_log", at: 2 }],
    ["a deleted first row", without(0), { code: "row_missing", at: 0 }],
    ["a deleted row", without(3), { code: "row_missing", at: 3 }],
    ["a repeated row", rows.toSpliced(3, 0, rows[2]!), { code: "row_repeated", at: 3 }],
    ["reordered rows", swapped(1), { code: "row_out_of_order", at: 1 }],
    [
      "swapped texts",
      changed(1, { bytes: rows[2]!.bytes }).with(2, { ...rows[2]!, bytes: rows[1]!.bytes }),
      { code: "row_hash_differs", at: 1 },
    ],
    [
      "a renumbered gap",
      without(3).map((row, seq) => ({ ...row, seq })),
      { code: "row_link_differs", at: 3 },
    ],
    [
      "the chain of another log",
      chain("gw-2", texts(6)).map((row) => ({ ...row, logId: LOG })),
      { code: "row_link_differs", at: 0 },
    ],
  ];
  // proves AUD-06
  it.each(cases)("L1: %s is found, and where", (_, given, fault) => {
    const report = verify(given);
    expect(report).toMatchObject({ verdict: "broken", rows: given.length, goodRows: fault.at });
    expect(report.faults).toEqual([expect.objectContaining(fault)]);
    expect(report.faults[0]?.expected).not.toBe(report.faults[0]?.found);
  });

  it("L4: rows of calls that ran at once differ by milliseconds: that is not worth a note", () => {
    const shown = [rowAt("2026-11-02T09:00:00.336Z"), rowAt("2026-11-02T08:59:59.336Z")];
    expect(verify(chain(LOG, shown), []).notes).toMatchObject({ clockReversals: 0 });
  });

  it("L4: a clock that goes back is reported, but is not a fault", () => {
    const timed = chain(
      LOG,
      ["02", "05", "03", "04"].map((second) => rowAt(`2026-11-02T09:00:${second}.000Z`)),
    );
    const report = verify(timed, [checkpointOf(timed, 4)]);
    expect(report.verdict).toBe("intact");
    expect(report.notes).toMatchObject({ clockReversals: 1, firstClockReversal: 2, unreadableRows: 0 });
  });
});

function rowAt(time: string): string {
  return JSON.stringify({ v: 1, kind: "decision", time, org: "acme" });
}

describe("LogVerifier on checkpoints", () => {
  // proves AUD-07
  it("L2: a log cut off at its end is found by the checkpoint that is ahead", () => {
    for (let cut = 1; cut <= rows.length; cut += 1) {
      const report = verify(rows.slice(0, -cut));
      expect(report.faults).toEqual([
        { code: "checkpoint_ahead", at: 6, expected: "6 rows", found: `${6 - cut} rows`, row: null },
      ]);
    }
  });

  it("L2: a log that was cut off and continued is found, and how far it can be trusted", () => {
    const rewritten = chain(LOG, [...texts(3), "{}", "{}", "{}", "{}"]);
    const report = verify(rewritten, [checkpointOf(rows, 2), checkpointOf(rows, 6)]);
    expect(report).toMatchObject({ verdict: "broken", rows: 7, goodRows: 2, signedRows: 2 });
    expect(report.faults).toEqual([expect.objectContaining({ code: "checkpoint_differs", at: 6 })]);
  });

  const signed = checkpointOf(rows, 6);
  const text = (size: string, hash = Buffer.from(rows[last]!.hash).toString("base64")) =>
    signNote(goldenSigner, `svc-audit/${LOG}\n${size}\n${hash}\n`);
  const cases: readonly [string, string, { code: string; at: number | null }][] = [
    ["no note", "hello", { code: "checkpoint_malformed", at: null }],
    ["a size with leading zeros", text("06"), { code: "checkpoint_malformed", at: null }],
    ["a short hash", text("6", "AAAA"), { code: "checkpoint_malformed", at: null }],
    ["a changed size", signed.replace("\n6\n", "\n5\n"), { code: "checkpoint_bad_signature", at: 5 }],
    [
      "another key of the same name",
      checkpointOf(rows, 6, testSigner("svc-golden", 8)),
      { code: "checkpoint_unknown_key", at: 6 },
    ],
    [
      "a note for another log",
      checkpointOf(chain("gw-2", texts(6)), 6),
      { code: "checkpoint_of_other_log", at: 6 },
    ],
  ];
  it.each(cases)("refuses %s", (_, note, fault) => {
    const report = verify(rows, [signed, note]);
    expect(report).toMatchObject({ verdict: "broken", goodRows: 6, faults: [fault] });
  });

  it("refuses a checkpoint that comes too late to be compared", () => {
    const verifier = new LogVerifier(LOG, keys);
    for (const row of rows) verifier.addRow(row);
    verifier.addCheckpoint(checkpointOf(rows, 5));
    expect(verifier.report().faults).toMatchObject([{ code: "checkpoint_too_late", at: 5 }]);
  });

  it("L7: what a retired key has signed stays valid beside the new one's", () => {
    const successor = testSigner("svc-golden", 9);
    const verifier = new LogVerifier(LOG, [successor.verifier, goldenSigner.verifier]);
    verifier.addCheckpoint(checkpointOf(rows, 3));
    verifier.addCheckpoint(checkpointOf(rows, 6, successor));
    for (const row of rows) verifier.addRow(row);
    expect(verifier.report()).toMatchObject({ verdict: "intact", checkpoints: 2, signedRows: 6 });
  });

  it("keeps the first bad row when there are many bad checkpoints, and a limited number of those", () => {
    const report = verify(
      without(2),
      Array.from({ length: 100 }, () => "hello"),
    );
    expect(report.faults).toHaveLength(1 + MAX_CHECKPOINT_FAULTS);
    expect(report.faults[0]?.code).toBe("row_missing");
  });
});

describe("LogVerifier, for any log", () => {
  const anyTexts = fc.array(fc.string({ unit: "binary", minLength: 1 }), { minLength: 1, maxLength: 12 });

  it("I3: what was appended and signed verifies", () => {
    fc.assert(
      fc.property(anyTexts, fc.infiniteStream(fc.boolean()), (someTexts, signHere) => {
        const built = chain(LOG, someTexts);
        const notes = built.flatMap(({ seq }) =>
          signHere.next().value ? [checkpointOf(built, seq + 1)] : [],
        );
        return verify(built, [...notes, checkpointOf(built, built.length)]).verdict === "intact";
      }),
    );
  });

  it("L1: a signed head fits no rows but those it was signed for, and what continues them", () => {
    fc.assert(
      fc.property(anyTexts, anyTexts, (written, shown) => {
        fc.pre(JSON.stringify(written) !== JSON.stringify(shown.slice(0, written.length)));
        return (
          verify(chain(LOG, shown), [checkpointOf(chain(LOG, written), written.length)]).verdict === "broken"
        );
      }),
    );
  });
});

describe("every mutation of the golden rows", () => {
  const golden = goldenRows();
  const head = checkpointOf(golden, golden.length);
  const firstBadRow = (given: readonly VerifiableRow[]) => {
    const verifier = new LogVerifier(golden[0]!.logId, keys);
    for (const row of given) verifier.addRow(row);
    return verifier.report().faults[0]?.at;
  };
  const isBroken = (given: readonly VerifiableRow[]) => {
    const verifier = new LogVerifier(golden[0]!.logId, keys);
    verifier.addCheckpoint(head);
    for (const row of given) verifier.addRow(row);
    return verifier.report().verdict === "broken";
  };

  // proves AUD-06
  it("L1: every byte of every field of every row", () => {
    for (const [index, row] of golden.entries()) {
      for (const field of ["bytes", "hash", "prevHash"] as const) {
        for (let at = 0; at < row[field].length; at += 1) {
          const mutated = Uint8Array.from(row[field]).with(at, (row[field][at] ?? 0) ^ (1 << (at % 8)));
          const found = firstBadRow([...golden.slice(0, index), { ...row, [field]: mutated }]);
          if (found !== index) expect.unreachable(`row ${index}, byte ${at} of ${field}: found ${found}`);
        }
      }
    }
  });

  it("L1: every deletion, repetition, exchange of two rows and of their fields", () => {
    for (const [left, row] of golden.entries()) {
      expect(isBroken(golden.toSpliced(left, 1)) && isBroken(golden.toSpliced(left, 0, row))).toBe(true);
      for (const [right, other] of golden.entries()) {
        if (left === right) continue;
        expect(isBroken(golden.with(left, other).with(right, row))).toBe(true);
        for (const field of ["bytes", "hash", "prevHash", "seq"] as const) {
          const exchanged = golden
            .with(left, { ...row, [field]: other[field] })
            .with(right, { ...other, [field]: row[field] });
          expect(isBroken(exchanged)).toBe(true);
        }
      }
    }
  });

  it("L2: every truncation", () => {
    for (let size = 0; size < golden.length; size += 1) expect(isBroken(golden.slice(0, size))).toBe(true);
  });
});
