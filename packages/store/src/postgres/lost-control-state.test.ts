// peers: postgres
import { execFileSync } from "node:child_process";
import { findPostgresPrograms } from "@svc/process/find-postgres-programs";
import { expect, it, onTestFinished } from "vitest";
import type { Store } from "../ports/store.ts";
import { commitChange } from "../testing/commit-change.ts";
import { describePostgres } from "../testing/describe-postgres.suite.ts";
import { killSwitch, legalHold } from "../testing/records.ts";
import { openPostgresStore } from "./open-postgres-store.ts";

describePostgres("a process whose database lost control changes", (server) => {
  async function openOfTest(url: string, logId: string): Promise<Store> {
    const store = await openPostgresStore({ url, logId });
    onTestFinished(() => store.close());
    return store;
  }

  const activate = (store: Store, id: string): Promise<unknown> =>
    commitChange(store, {
      org: "org",
      change: { kind: "kill_switch", record: killSwitch(id, { target_id: id }) },
    });

  /** Takes back what was changed since the revision, as a failover to a standby that lacks it does. */
  function loseAfter(url: string, revision: number): void {
    const texts = [
      "SET session_replication_role = replica",
      `DELETE FROM control_events WHERE revision > ${String(revision)}`,
      `DELETE FROM kill_switches WHERE revision > ${String(revision)}`,
      `UPDATE control_head SET revision = ${String(revision)}`,
    ];
    const psql = `${findPostgresPrograms() ?? ""}/psql`;
    execFileSync(psql, ["-d", url, "-v", "ON_ERROR_STOP=1", "-qc", texts.join("; ")], { stdio: "pipe" });
  }

  // proves STATE-13
  it("reads and changes none any more, its own changes and those of others", async () => {
    const url = await server().createDatabase();
    const [one, two] = [await openOfTest(url, "gw-1"), await openOfTest(url, "gw-2")];
    await activate(one, "first");
    await activate(one, "lost");
    expect(await two.controlFeed.eventsAfter(1, 10)).toHaveLength(1);
    loseAfter(url, 1);
    for (const store of [one, two]) {
      await expect(store.controlFeed.eventsAfter(2, 10)).rejects.toThrow(
        "knows revision 2, and the database ends at revision 1",
      );
      await expect(store.controlFeed.snapshot()).rejects.toThrow("control state was lost");
      await expect(activate(store, "next")).rejects.toThrow("control state was lost");
    }
    const anew = await openOfTest(url, "gw-3");
    expect(await anew.controlFeed.snapshot()).toMatchObject({ revision: 1 });
  });

  // proves STATE-13
  it("notices another change at a revision that it knows", async () => {
    const url = await server().createDatabase();
    const [one, two] = [await openOfTest(url, "gw-1"), await openOfTest(url, "gw-2")];
    await activate(one, "lost");
    await one.controlFeed.snapshot();
    loseAfter(url, 0);
    await activate(two, "instead");
    expect(await two.controlFeed.eventsAfter(0, 10)).toHaveLength(1);
    const another = "knows revision 1, and the database holds another change there";
    await expect(one.controlFeed.eventsAfter(1, 10)).rejects.toThrow(another);
    await expect(activate(one, "next")).rejects.toThrow(another);
  });

  it("takes no change of another process for lost when it writes a row without a change", async () => {
    const url = await server().createDatabase();
    const [one, two] = [await openOfTest(url, "gw-1"), await openOfTest(url, "gw-2")];
    await activate(one, "first");
    await two.legalHolds.create({ org: "org", auditRow: "{}", record: legalHold("hold") });
    expect(await two.controlFeed.eventsAfter(0, 10)).toHaveLength(1);
    expect(await two.controlFeed.eventsAfter(1, 10)).toEqual([]);
    expect(await two.controlFeed.snapshot()).toMatchObject({ revision: 1 });
  });
});
