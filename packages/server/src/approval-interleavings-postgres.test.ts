// peers: postgres
import { openPostgresStore } from "@svc/store/open-postgres-store";
import { describePostgres } from "@svc/store/testing/describe-postgres-suite";
import { expect, it } from "vitest";
import { followInterleavings } from "./testing/approval-interleavings.suite.ts";

const TIMEOUT_MS = 300_000;

describePostgres("approvals on PostgreSQL", (server) => {
  // proves APR-22
  it(
    "200 random interleavings follow the model",
    async () => {
      const open = async () => openPostgresStore({ url: await server().createDatabase(), logId: "gw_test" });
      await expect(followInterleavings({ open, runs: 200 })).resolves.toBeUndefined();
    },
    TIMEOUT_MS,
  );
});
