// peers: postgres
import { expect, it } from "vitest";
import { describePostgres } from "../testing/describe-postgres.suite.ts";
import { killSwitch, policy } from "../testing/records.ts";
import { openPostgresStore } from "./open-postgres-store.ts";

/** Changes that one organization asks for at once, as count: more than there are connections. */
const FLOOD = 60;

describePostgres("changes of control state", (server) => {
  // proves FAIR-15
  it("of one organization let those of another one pass, and leave connections to readers", async () => {
    const store = await openPostgresStore({ url: await server().createDatabase(), logId: "gateway-1" });
    const order: string[] = [];
    const stop = async (org: string, id: string): Promise<void> => {
      const record = killSwitch(id, { target_id: id });
      const { kind } = await store.killSwitches.activateKillSwitch({ org, auditRow: "{}", record });
      if (kind === "activated") order.push(id);
    };
    const create = async (org: string, id: string): Promise<void> => {
      await store.policies.createPolicy({ org, auditRow: "{}", policy: policy(id, 1), binding: null });
      order.push(id);
    };
    const tryOut = async (org: string, id: string): Promise<void> => {
      await store.killSwitches.recordDryRun({ org, auditRow: "{}" });
      order.push(id);
    };
    const ids = Array.from({ length: FLOOD }, (_, n) => String(n));
    const flood = [create, stop, tryOut].flatMap((ask) => ids.map((id) => ask("org-a", `a-${id}`)));
    const all = Promise.allSettled(flood);
    await Promise.all([
      stop("org-b", "switch-b"),
      create("org-b", "policy-b"),
      store.killSwitches.killSwitch("org-b", "none"),
    ]);
    const before = order.length;
    await all;
    // Two of them were under way, and four lanes take turns.
    expect(before).toBeLessThan(20);
    expect(order).toContain("switch-b");
    await store.close();
  });
});
