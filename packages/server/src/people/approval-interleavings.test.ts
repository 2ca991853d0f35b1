import { openMemoryStore } from "@svc/store/testing/memory-store";
import { runs } from "@svc/text/testing/runs";
import { expect, it } from "vitest";
import { followInterleavings } from "../testing/approval-interleavings.suite.ts";

const INTERLEAVINGS = runs(200, 10_000);
const TIMEOUT_MS = 600_000;

// proves APR-22
it(
  `${String(INTERLEAVINGS)} random interleavings follow the model`,
  async () => {
    const followed = followInterleavings({ open: async () => openMemoryStore(), runs: INTERLEAVINGS });
    await expect(followed).resolves.toBeUndefined();
  },
  TIMEOUT_MS,
);
