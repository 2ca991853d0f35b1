// peers: postgres
// long: many rows of two stores
import { setTimeout as sleep } from "node:timers/promises";
import { ANY_AUDIT_ROW } from "@svc/contract/audit-query";
import { formatDecisionId } from "@svc/contract/decision-id";
import { openPostgresStore } from "@svc/store/open-postgres-store";
import { describePostgres } from "@svc/store/testing/describe-postgres-suite";
import { entry } from "@svc/store/testing/records";
import { expect, it, onTestFinished } from "vitest";
import { openQuestionSession } from "../ask/open-question-session.ts";
import { AnomalyBuffer } from "../behaviour/anomaly-buffer.ts";
import { openProjectorSession } from "../fill/open-projector-session.ts";
import { auditActivityContract } from "../testing/activity.suite.ts";
import { auditAgentsContract } from "../testing/agents.suite.ts";
import { auditIndexContract } from "../testing/audit-index.suite.ts";
import { behaviourContract } from "../testing/behaviour.suite.ts";
import { auditCountsContract } from "../testing/counts.suite.ts";
import { auditCoverageContract } from "../testing/coverage.suite.ts";
import type { IndexSubject } from "../testing/index-bench.suite.ts";
import { decisionText, outcomeText } from "../testing/make-row.ts";

describePostgres("the audit index in PostgreSQL", (server) => {
  const open = async (): Promise<IndexSubject> => {
    const url = await server().createDatabase();
    const store = await openPostgresStore({ url, logId: "gateway-1" });
    return { store, place: { kind: "postgres", url } };
  };
  auditIndexContract(open);
  auditCoverageContract(open);
  auditActivityContract(open);
  auditAgentsContract(open);
  auditCountsContract(open);
  behaviourContract(open);

  // proves AUD-68
  it("finds the rows of two logs in one list, also after another process took the index over", async () => {
    const url = await server().createDatabase();
    const place = { kind: "postgres", url } as const;
    const openLog = (logId: string) => openPostgresStore({ url, logId });
    const stores = [await openLog("gateway-1"), await openLog("gateway-2")] as const;
    const [first] = [await openProjectorSession(place, new AnomalyBuffer())];
    expect(await openProjectorSession(place, new AnomalyBuffer())).toBeNull();
    const reader = openQuestionSession(place, { sleep, nowMs: () => performance.now() });
    onTestFinished(async () => {
      reader.close();
      for (const store of stores) await store.close();
    });
    const find = async () => {
      const search = { org: "org-1", filter: ANY_AUDIT_ROW, limit: 50, before: null };
      const { rows, behind } = await reader.queries.search(search);
      expect(behind).toEqual([]);
      return rows.map(({ position }) => formatDecisionId(position));
    };
    const add = async (at: number) => {
      for (const [index, store] of stores.entries()) {
        const time = new Date(Date.UTC(2026, 0, 1) + at * 10 + index).toISOString();
        await store.ledger.commit([entry(decisionText({ time }))]);
      }
    };
    await add(0);
    await add(1);
    while (await first?.projector.step());
    expect(await find()).toEqual(["gateway-2.1", "gateway-1.1", "gateway-2.0", "gateway-1.0"]);
    const about = outcomeText({ decision_id: "gateway-2.1", time: "2026-01-01T00:00:01.000Z" });
    await stores[0].ledger.commit([entry(about)]);
    await first?.close();
    const second = await openProjectorSession(place, new AnomalyBuffer());
    while (await second?.projector.step());
    await second?.close();
    expect(await find()).toEqual(["gateway-1.2", "gateway-2.1", "gateway-1.1", "gateway-2.0", "gateway-1.0"]);
    const { row } = await reader.queries.row({ org: "org-1", position: { logId: "gateway-2", seq: 1 } });
    expect(row?.outcome).toMatchObject({ position: { logId: "gateway-1", seq: 2 }, status: "succeeded" });
  });
});
