import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteStore } from "@svc/store/open-sqlite-store";
import { describe, onTestFinished } from "vitest";
import { auditActivityContract } from "../testing/activity.suite.ts";
import { auditAgentsContract } from "../testing/agents.suite.ts";
import { auditIndexContract } from "../testing/audit-index.suite.ts";
import { behaviourContract } from "../testing/behaviour.suite.ts";
import { auditCountsContract } from "../testing/counts.suite.ts";
import { auditCoverageContract } from "../testing/coverage.suite.ts";
import type { IndexSubject } from "../testing/index-bench.suite.ts";

describe("the audit index in SQLite", () => {
  const open = async (): Promise<IndexSubject> => {
    const dataDir = mkdtempSync(join(tmpdir(), "svc-index-"));
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
    const store = await openSqliteStore({ dataDir, logId: "gateway-1" });
    return { store, place: { kind: "sqlite", dataDir } };
  };
  auditIndexContract(open);
  auditCoverageContract(open);
  auditActivityContract(open);
  auditAgentsContract(open);
  auditCountsContract(open);
  behaviourContract(open);
});
