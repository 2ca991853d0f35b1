import { tmpdir } from "node:os";
import { Registry } from "prom-client";
import { expect, it } from "vitest";
import { registerStoreMetrics } from "./store-metrics.ts";

// proves FAIR-09
it("reports the size of the store and the free space, and leaves out what cannot be read", async () => {
  const registry = new Registry();
  let size = (): Promise<number> => Promise.resolve(12_345);
  registerStoreMetrics({ registry, store: { sizeBytes: () => size() }, dataDir: tmpdir() });
  const lines = async (): Promise<string[]> =>
    (await registry.metrics()).split("\n").filter((line) => !line.startsWith("#") && line !== "");
  expect(await lines()).toEqual([
    "svc_store_bytes 12345",
    expect.stringMatching(/_free_bytes [1-9][0-9.e+]+$/),
  ]);
  size = () => Promise.reject(new Error("down"));
  expect(await lines()).toEqual([expect.stringMatching(/_free_bytes /)]);
  size = () => Promise.resolve(7);
  expect(await lines()).toContain("svc_store_bytes 7");
});
