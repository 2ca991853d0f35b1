import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseExcerpt } from "./excerpt/parse-excerpt.ts";
import { verifyExcerpt } from "./excerpt/verify-excerpt.ts";
import { GOLDEN_LOG_ID, GOLDEN_ROWS, GOLDEN_SIZES, goldenFiles } from "./golden-chain.suite.ts";
import { parseVerifierKey } from "./note-key.ts";
import { parseExport } from "./parse-export.ts";
import { verifyExport } from "./verify-export.ts";

const testdata = (name: string) => readFileSync(new URL(`../testdata/${name}`, import.meta.url), "utf8");

async function* chunksOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

async function* none(): AsyncGenerator<never> {}

it("the golden excerpt verifies with the published key", async () => {
  const reports = await verifyExcerpt({
    records: parseExcerpt(chunksOf(testdata("golden-excerpt.ndjson"))),
    evidence: none(),
    keys: [parseVerifierKey(testdata("golden-public-key.txt").trim())],
  });
  expect(reports).toMatchObject([{ verdict: "intact", rows: 24, leftOut: 12 }]);
});

describe("the golden chain", () => {
  it.each(Object.entries(goldenFiles()))("%s is what today's writer makes", (name, text) => {
    expect(testdata(name)).toBe(text);
  });

  // proves AUD-11, AUD-19
  it("verifies with the published key", async () => {
    const reports = await verifyExport({
      records: parseExport(chunksOf(testdata("golden-export.ndjson"))),
      evidence: none(),
      keys: [parseVerifierKey(testdata("golden-public-key.txt").trim())],
    });
    expect(reports).toEqual([
      {
        logId: GOLDEN_LOG_ID,
        verdict: "intact",
        rows: GOLDEN_ROWS,
        goodRows: GOLDEN_ROWS,
        head: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
        checkpoints: GOLDEN_SIZES.length,
        signedRows: GOLDEN_ROWS,
        leftOut: null,
        removed: { rows: 0, last: null },
        filter: null,
        neededKeys: [],
        faults: [],
        notes: {
          clockReversals: 0,
          firstClockReversal: null,
          unreadableRows: 0,
          firstTime: "2026-11-02T09:00:00.000Z",
          lastTime: "2026-11-02T09:00:35.000Z",
        },
      },
    ]);
  });
});
