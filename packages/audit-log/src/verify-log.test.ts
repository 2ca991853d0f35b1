import { expect, it } from "vitest";
import { chain, checkpointOf, goldenSigner } from "./golden-chain.suite.ts";
import { PROGRESS_ROWS, type VerifyLogOptions, verifyLog } from "./verify-log.ts";

const rows = chain(
  "gw-1",
  Array.from({ length: 2 * PROGRESS_ROWS + 5 }, (_, index) => `{"row":${index}}`),
);
const sizes = Array.from({ length: 20 }, (_, index) => (index + 1) * 1_000).concat(rows.length);
const notes = sizes.map((size) => checkpointOf(rows, size));

async function* streamOf<T>(
  items: readonly T[],
  onRead: (count: number) => void = () => {},
): AsyncGenerator<T> {
  for (const [index, item] of items.entries()) {
    onRead(index + 1);
    yield item;
  }
}

function verify(options: Partial<VerifyLogOptions>) {
  const keys = [goldenSigner.verifier];
  return verifyLog({ logId: "gw-1", rows: streamOf(rows), checkpoints: notes, keys, ...options });
}

it("verifies rows and checkpoints from streams, and tells how far it has come", async () => {
  const progress: number[] = [];
  const report = await verify({
    checkpoints: streamOf(notes),
    onProgress: (count) => void progress.push(count),
  });
  expect(report).toMatchObject({ verdict: "intact", rows: rows.length, checkpoints: notes.length });
  expect(progress).toEqual([PROGRESS_ROWS, 2 * PROGRESS_ROWS]);
});

it("reads checkpoints no further ahead than one beyond the rows", async () => {
  let rowsRead = 0;
  const ahead: number[] = [];
  await verify({
    rows: streamOf(rows, (count) => (rowsRead = count)),
    checkpoints: streamOf(notes, (count) => void ahead.push((sizes[count - 2] ?? 0) - rowsRead)),
  });
  expect(Math.max(...ahead)).toBeLessThanOrEqual(0);
});

it("L1: finds checkpoints out of order, unreadable ones and changed rows in one pass", async () => {
  const [first = "", second = "", third = "", ...others] = notes;
  const report = await verify({
    checkpoints: ["nothing", first, third, second, ...others],
    rows: streamOf(rows.with(20_002, { ...rows[20_002]!, bytes: Buffer.from("{}") })),
  });
  expect(report.goodRows).toBe(20_002);
  expect(report.faults.map(({ code, at }) => [code, at])).toEqual([
    ["row_hash_differs", 20_002],
    ["checkpoint_malformed", null],
    ["checkpoint_too_late", 2_000],
  ]);
});

it("rejects when its rows cannot be read", async () => {
  const failing = streamOf(rows, (count) => {
    if (count === 7) throw new Error("disk");
  });
  await expect(verify({ rows: failing })).rejects.toThrow("disk");
});
