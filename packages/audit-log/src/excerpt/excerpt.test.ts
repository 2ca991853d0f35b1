import { Readable } from "node:stream";
import { runs } from "@svc/text/testing/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ExportError } from "../framed-lines.ts";
import { chain, checkpointOf, goldenSigner, testSigner } from "../golden-chain.suite.ts";
import type { LogReport } from "../log-report.ts";
import type { VerifiableRow } from "../log-verifier.ts";
import { type Excerpt, signExcerpt, verifyExcerptNote } from "./excerpt.ts";
import { emptyExcerptDigest, nextExcerptDigest } from "./excerpt-digest.ts";
import { renderExcerptLine } from "./excerpt-line.ts";
import { parseExcerpt } from "./parse-excerpt.ts";
import { NO_FILTER, type RowFilter } from "./row-filter.ts";
import { verifyExcerpt } from "./verify-excerpt.ts";

const LOG = "gw-1";
const KEYS = [goldenSigner.verifier];

const textOf = (org: string, at: number): string =>
  JSON.stringify({ v: 1, kind: "key", org, time: "2026-11-02T09:00:00.000Z", key_id: `key-${at}` });

/** A log that two organizations share. */
const rows = chain(LOG, ["a", "b", "a", "a", "b", "b", "a", "b"].map(textOf));
const isOfA = ({ bytes }: VerifiableRow): boolean => Buffer.from(bytes).includes('"org":"a"');

function excerptOf(shown: readonly VerifiableRow[], changes: Partial<Excerpt> = {}): Excerpt {
  const digest = shown.reduce(
    (before, { seq, bytes }) => nextExcerptDigest(before, seq, bytes),
    emptyExcerptDigest(LOG, "a"),
  );
  const head = rows.at(-1)?.hash ?? new Uint8Array();
  const stated = { logId: LOG, org: "a", size: rows.length, head, rows: shown.length, digest };
  return { ...stated, filter: NO_FILTER, removed: 0, ...changes };
}

const own = rows.filter(isOfA);
const genuine: readonly string[] = [
  renderExcerptLine({ kind: "header", org: "a", filter: NO_FILTER }),
  ...own.map((row) => renderExcerptLine({ kind: "row", row })),
  renderExcerptLine({ kind: "excerpt", logId: LOG, note: signExcerpt(goldenSigner, excerptOf(own)) }),
  renderExcerptLine({ kind: "end", counts: { rows: own.length, excerpts: 1 } }),
];

const NOTE_AT = genuine.length - 2;

async function verified(
  lines: readonly string[] | Buffer,
  kept: readonly string[] = [],
): Promise<readonly LogReport[]> {
  const records = parseExcerpt(Readable.from([Buffer.isBuffer(lines) ? lines : Buffer.from(lines.join(""))]));
  const evidence = Readable.from(kept.map((note) => ({ logId: LOG, size: 0, note })));
  return verifyExcerpt({ records, evidence, keys: KEYS });
}

/** `intact`, or what is wrong. */
async function outcome(lines: readonly string[] | Buffer, kept: readonly string[] = []): Promise<string> {
  try {
    const reports = await verified(lines, kept);
    const faults = reports.flatMap((report) => report.faults.map(({ code }) => code));
    return reports.length > 0 && reports.every(({ verdict }) => verdict === "intact")
      ? "intact"
      : faults.join();
  } catch (error) {
    return (error as ExportError).code;
  }
}

/** The lines with an end line that counts them. */
function recounted(lines: readonly string[]): readonly string[] {
  const body = lines.filter((line) => !line.startsWith('{"end"'));
  const counts = {
    rows: body.filter((line) => line.includes('"seq"')).length,
    excerpts: body.filter((line) => line.includes('"excerpt":')).length,
  };
  return [...body, renderExcerptLine({ kind: "end", counts })];
}

const withNote = (note: string): readonly string[] =>
  genuine.with(NOTE_AT, renderExcerptLine({ kind: "excerpt", logId: LOG, note }));

// proves AUD-33
describe("an excerpt of a log that several organizations share", () => {
  it("is intact, and says how many rows it leaves out", async () => {
    expect(await verified(genuine)).toMatchObject([
      { logId: LOG, verdict: "intact", rows: 4, goodRows: 4, leftOut: 4, faults: [] },
    ]);
  });

  it("holds nothing of another organization's rows, and no hash of any row", () => {
    const text = genuine.join("");
    for (const { bytes, hash } of rows.slice(0, -1)) {
      expect(text).not.toContain(Buffer.from(hash).toString("hex"));
      expect(text).not.toContain(Buffer.from(hash).toString("base64"));
      if (!own.some((row) => row.bytes === bytes))
        expect(text).not.toContain(JSON.stringify(bytes.toString()));
    }
  });

  it.each([
    [
      "a row of another organization is shown, and signed",
      withNote(signExcerpt(goldenSigner, excerptOf(rows))),
    ],
    ["the statement is missing", genuine.toSpliced(NOTE_AT, 1)],
    ["the statement comes twice", genuine.toSpliced(NOTE_AT, 0, genuine[NOTE_AT] ?? "")],
    [
      "the statement comes before the last row",
      genuine.with(NOTE_AT, genuine[NOTE_AT - 1] ?? "").with(NOTE_AT - 1, genuine[NOTE_AT] ?? ""),
    ],
    [
      "the statement is about another log",
      withNote(signExcerpt(goldenSigner, excerptOf(own, { logId: "gw-2" }))),
    ],
    [
      "the statement is about another organization",
      withNote(signExcerpt(goldenSigner, excerptOf(own, { org: "b" }))),
    ],
    ["the statement counts otherwise", withNote(signExcerpt(goldenSigner, excerptOf(own, { rows: 5 })))],
    ["the statement is of another key", withNote(signExcerpt(testSigner("svc-other", 8), excerptOf(own)))],
    ["a checkpoint stands for the statement", withNote(checkpointOf(rows, rows.length))],
    [
      "the header names another organization",
      genuine.with(0, renderExcerptLine({ kind: "header", org: "b", filter: NO_FILTER })),
    ],
  ])("is broken when %s", async (_, lines) => {
    expect(await outcome(recounted(lines))).not.toBe("intact");
  });

  it("any one line removed, repeated or exchanged with another is found, also with new counts", async () => {
    for (const [at, line] of genuine.entries()) {
      const changed = [genuine.toSpliced(at, 1), genuine.toSpliced(at, 0, line)];
      for (const [other, text] of genuine.entries())
        if (other > at) changed.push(genuine.with(at, text).with(other, line));
      for (const lines of changed) {
        expect(await outcome(lines), `${String(at)}, as it is`).not.toBe("intact");
        const counted = recounted(lines);
        if (counted.join("") !== genuine.join(""))
          expect(await outcome(counted), `${String(at)}, counted anew`).not.toBe("intact");
      }
    }
  });

  it("any changed byte is found", async () => {
    const bytes = Buffer.from(genuine.join(""));
    const position = fc.nat(bytes.length - 1);
    await fc.assert(
      fc.asyncProperty(position, fc.integer({ min: 1, max: 255 }), async (at, change) => {
        const changed = Buffer.from(bytes);
        changed[at] = (changed[at] ?? 0) ^ change;
        expect(await outcome(changed)).not.toBe("intact");
      }),
      { numRuns: runs(1_000, 10_000) },
    );
  });

  it("any row with another text, number or log is found, whatever is counted", async () => {
    const other = fc.record({
      at: fc.nat(own.length - 1),
      logId: fc.constantFrom(LOG, "gw-2"),
      seq: fc.nat(rows.length),
      text: fc.constantFrom(...own.map(({ bytes }) => Buffer.from(bytes).toString()), textOf("a", 99)),
    });
    await fc.assert(
      fc.asyncProperty(other, async ({ at, logId, seq, text }) => {
        const row = { logId, seq, bytes: Buffer.from(text) };
        const lines = genuine.with(at + 1, renderExcerptLine({ kind: "row", row }));
        fc.pre(lines[at + 1] !== genuine[at + 1]);
        expect(await outcome(recounted(lines))).not.toBe("intact");
      }),
    );
  });

  it.each([
    ["of as many rows", checkpointOf(rows, 8), "intact"],
    ["of fewer rows", checkpointOf(rows, 3), "intact"],
    [
      "of more rows",
      checkpointOf(
        chain(
          LOG,
          Array.from({ length: 9 }, (_, at) => textOf("a", at)),
        ),
        9,
      ),
      "checkpoint_ahead",
    ],
    [
      "of as many other rows",
      checkpointOf(
        chain(
          LOG,
          Array.from({ length: 8 }, (_, at) => textOf("a", at)),
        ),
        8,
      ),
      "checkpoint_differs",
    ],
    ["of another key", checkpointOf(rows, 8, testSigner("svc-other", 8)), "checkpoint_unknown_key"],
  ])("beside a kept checkpoint %s it is: %#", async (_, note, wanted) => {
    expect(await outcome(genuine, [note])).toBe(wanted);
  });
});

// proves AUD-35
describe("a filtered excerpt", () => {
  const filter: RowFilter = { kind: "key", since: "2026-11-02T09:00:00.000Z" };

  /** What the header, the statement and the rows say. */
  function filtered(header: RowFilter, stated: RowFilter, shown = own, removed = 0): readonly string[] {
    const note = signExcerpt(goldenSigner, excerptOf(shown, { filter: stated, removed }));
    return recounted([
      renderExcerptLine({ kind: "header", org: "a", filter: header }),
      ...shown.map((row) => renderExcerptLine({ kind: "row", row })),
      renderExcerptLine({ kind: "excerpt", logId: LOG, note }),
    ]);
  }

  it("is intact, and its report names the filter and the removed rows", async () => {
    const report = { verdict: "intact", leftOut: 3, removed: { rows: 1 } };
    const asked = '{"kind":"key","since":"2026-11-02T09:00:00.000Z"}';
    expect(await verified(filtered(filter, filter, own, 1))).toMatchObject([{ ...report, filter: asked }]);
  });

  it.each<[string, RowFilter, RowFilter, string]>([
    ["the statement was signed for everything", filter, NO_FILTER, "excerpt_of_other_filter"],
    ["the header says it is everything", NO_FILTER, filter, "excerpt_of_other_filter"],
    ["the header names another time", { ...filter, since: "2026-11-02T08:00:00.000Z" }, filter, "excerpt_of"],
    ["rows are of another kind", { kind: "policy" }, { kind: "policy" }, "row_outside_filter"],
    ["rows name another agent", { agentId: "x" }, { agentId: "x" }, "row_outside_filter"],
    ["rows are in another log", { logId: "gw-2" }, { logId: "gw-2" }, "row_outside_filter"],
    ["rows are too late", { until: "2026-11-02T09:00:00.000Z" }, {}, "row_outside_filter"],
    ["rows are too early", { since: "2026-11-02T09:00:00.001Z" }, {}, "row_outside_filter"],
  ])("is broken when %s", async (_, header, stated, code) => {
    expect(await outcome(filtered(header, stated))).toContain(code);
  });

  it.each([
    ["a", "agent", "a", "intact"],
    ["a", "agent", "b", "row_outside_filter"],
    ["a", "session", "a", "row_outside_filter"],
  ])("for agent %s has a kill switch on %s %s: %s", async (agentId, scope, target_id, wanted) => {
    const bytes = Buffer.from(
      JSON.stringify({ ...JSON.parse(String(own[0]?.bytes)), kind: "kill_switch", scope, target_id }),
    );
    const shown = own.slice(0, 1).map((row) => ({ ...row, bytes }));
    expect(await outcome(filtered({ agentId }, { agentId }, shown))).toBe(wanted);
  });

  it("any changed byte is found", async () => {
    const bytes = Buffer.from(filtered(filter, filter, own, 2).join(""));
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect({ at, outcome: await outcome(changed) }).not.toEqual({ at, outcome: "intact" });
    }
  });
});

describe("the signed statement about an excerpt", () => {
  it("is read back as it was signed", () => {
    const excerpt = excerptOf(own);
    const { kind, ...read } = verifyExcerptNote(signExcerpt(goldenSigner, excerpt), KEYS);
    expect({ kind, ...read }).toMatchObject({
      kind: "valid",
      excerpt: { logId: LOG, org: "a", size: 8, rows: 4 },
    });
  });

  it.each([
    ["an organization with a line break", { org: "a\n8" }],
    ["a log with a space", { logId: "gw 1" }],
    ["more rows than the log has", { rows: 9 }],
    ["a short hash", { head: new Uint8Array(31) }],
    ["a short digest", { digest: new Uint8Array(31) }],
  ])("is not signed with %s", (_, changes) => {
    expect(() => signExcerpt(goldenSigner, excerptOf(own, changes))).toThrow(RangeError);
  });
});
