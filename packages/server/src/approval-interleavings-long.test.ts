// long: 1,200 interleavings take 10 seconds; SVC_TEST_INTERLEAVINGS=10000 runs more
import { openMemoryStore } from "@svc/store/testing/memory-store";
import { expect, it } from "vitest";
import { followInterleavings } from "./testing/approval-interleavings.suite.ts";

const RUNS = Number(process.env["SVC_TEST_INTERLEAVINGS"] ?? 1_200);
const TIMEOUT_MS = 600_000;

// proves APR-22
it(
  `${String(RUNS)} random interleavings follow the model`,
  async () => {
    const followed = followInterleavings({ open: async () => openMemoryStore(), runs: RUNS });
    await expect(followed).resolves.toBeUndefined();
  },
  TIMEOUT_MS,
);
