import { expect, it } from "vitest";
import type { StoredRow } from "../ports/audit-store.ts";
import { eventRows } from "./event-rows.ts";

const LOG = "log-a";
const NO_HASH = new Uint8Array(32);

const stored = (seq: number): StoredRow => ({
  logId: LOG,
  seq,
  prevHash: NO_HASH,
  hash: NO_HASH,
  bytes: Buffer.from(JSON.stringify({ v: 1, kind: "policy", time: "2026-01-01T00:00:00.000Z", org: "o" })),
});

// proves EVT-08
it("counts rows that were committed while it read as rows of the log", async () => {
  const page = await eventRows(
    {
      heads: () => Promise.resolve([{ logId: LOG, size: 1, hash: NO_HASH }]),
      rows: () => Promise.resolve([stored(0), stored(1)]),
      row: () => Promise.resolve(null),
      wantedRows: () => Promise.reject(new Error("every row is wanted")),
    },
    { from: new Map([[LOG, 0]]), limit: 10, maxBytes: 1_000 },
  );
  expect(page.events.map(({ seq }) => seq)).toEqual([0, 1]);
  expect(page.next).toEqual(new Map([[LOG, 2]]));
  expect(page.sizes).toEqual(page.next);
});
