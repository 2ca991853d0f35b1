// peers: postgres

import { openPostgresStore } from "@svc/store/open-postgres-store";
import { describePostgres } from "@svc/store/testing/describe-postgres-suite";
import { runs } from "@svc/text/testing/runs";
import { expect, it } from "vitest";
import { followInterleavings } from "../testing/approval-interleavings.suite.ts";

/** Interleavings that run at once, each on a database of its own: one alone waits for the disk. */
const LANES = 4;

const RUNS_OF_LANE = runs(100, 10_000) / LANES;

const TIMEOUT_MS = 3_600_000;

describePostgres("approvals on PostgreSQL", (server) => {
  // proves APR-22
  it(
    `${String(LANES * RUNS_OF_LANE)} random interleavings follow the model`,
    async () => {
      const open = async () => openPostgresStore({ url: await server().createDatabase(), logId: "gw_test" });
      const lane = async () => followInterleavings({ open, runs: RUNS_OF_LANE });
      const lanes = Promise.all(Array.from({ length: LANES }, lane));
      await expect(lanes).resolves.toHaveLength(LANES);
    },
    TIMEOUT_MS,
  );
});
