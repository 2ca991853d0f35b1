import { openMemoryStore } from "@svc/store/testing/memory-store";
import { expect, it } from "vitest";
import { followInterleavings } from "./testing/approval-interleavings.suite.ts";

// proves APR-22
it("300 random interleavings follow the model", async () => {
  await expect(
    followInterleavings({ open: async () => openMemoryStore(), runs: 300 }),
  ).resolves.toBeUndefined();
});
