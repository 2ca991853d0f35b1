import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { KillSwitchRecord } from "@svc/contract/kill-switch";
import type { ContractSubject } from "./contract-subject.ts";
import { readChain, rowText } from "../testing/expect-chain.ts";
import { killSwitch } from "../testing/records.ts";

export function killSwitchContract(subject: ContractSubject): void {
  const switches = () => subject.store().killSwitches;

  const activate = async (org: string, record: KillSwitchRecord) =>
    switches().activateKillSwitch({ org, record, auditRow: `{"on":"${org}.${record.kill_switch_id}"}` });

  const end = async (org: string, id: string) =>
    switches().endKillSwitch({
      org,
      id,
      endedAt: "2026-01-02T04:00:00.000Z",
      endedBy: "operator-2",
      reason: "over",
      auditRow: `{"off":"${org}.${id}"}`,
    });

  const auditRows = async (org: string): Promise<number> => {
    const { audit, logId } = subject.store();
    return (await readChain(audit, logId)).filter((row) => rowText(row).includes(org)).length;
  };

  describe("KillSwitchStore", () => {
    it("activates and ends a switch, each with one event and one audit row", async () => {
      const org = randomUUID();
      const record = killSwitch("ks-1");
      const before = (await subject.store().controlFeed.snapshot()).revision;
      expect(await activate(org, record)).toEqual({ kind: "activated", revision: before + 1 });
      const ended = await end(org, "ks-1");
      expect(ended).toEqual({
        kind: "ended",
        revision: before + 2,
        record: {
          ...record,
          status: "inactive",
          ended_at: "2026-01-02T04:00:00.000Z",
          ended_by: "operator-2",
          end_reason: "over",
        },
      });
      expect(await subject.store().controlFeed.eventsAfter(before, 10)).toEqual([
        { revision: before + 1, org, change: { kind: "kill_switch", record } },
        {
          revision: before + 2,
          org,
          change: { kind: "kill_switch", record: ended.kind === "ended" && ended.record },
        },
      ]);
      expect(await auditRows(org)).toBe(2);
    });

    it("writes nothing when there is nothing to end", async () => {
      const org = randomUUID();
      await activate(org, killSwitch("ks-1"));
      await end(org, "ks-1");
      expect(await end(org, "ks-1")).toMatchObject({
        kind: "already_inactive",
        record: { ended_by: "operator-2" },
      });
      expect(await end(org, "ks-2")).toEqual({ kind: "not_found" });
      expect(await end(randomUUID(), "ks-1")).toEqual({ kind: "not_found" });
      expect(await auditRows(org)).toBe(2);
    });

    it("creates one switch when 20 activations of one target race", async () => {
      const org = randomUUID();
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, async (_, n) => activate(org, killSwitch(`ks-${String(n)}`))),
      );
      const created = outcomes.findIndex(({ kind }) => kind === "activated");
      expect(outcomes.filter(({ kind }) => kind === "activated")).toHaveLength(1);
      const others = outcomes.filter((outcome) => outcome.kind === "existing");
      expect(others).toHaveLength(19);
      for (const { record } of others) expect(record.kill_switch_id).toBe(`ks-${String(created)}`);
      expect(await auditRows(org)).toBe(1);
    });

    it("takes targets apart by scope and name, and account-wide ones for one and the same", async () => {
      const org = randomUUID();
      expect(await activate(org, killSwitch("a"))).toMatchObject({ kind: "activated" });
      expect(await activate(org, killSwitch("b", { scope: "tool" }))).toMatchObject({ kind: "activated" });
      expect(await activate(org, killSwitch("c", { target_id: "agent-2" }))).toMatchObject({
        kind: "activated",
      });
      const wide = { scope: "global", target_id: null, account_wide: true } as const;
      expect(await activate(org, killSwitch("d", wide))).toMatchObject({ kind: "activated" });
      expect(await activate(org, killSwitch("e", { ...wide, scope: "agent" }))).toMatchObject({
        kind: "existing",
        record: { kill_switch_id: "d" },
      });
      await end(org, "a");
      expect(await activate(org, killSwitch("f"))).toMatchObject({ kind: "activated" });
    });

    it("notes propagation without an event or an audit row", async () => {
      const org = randomUUID();
      await activate(org, killSwitch("ks-1"));
      const before = (await subject.store().controlFeed.snapshot()).revision;
      await switches().recordPropagation(org, "ks-1", 12.5);
      expect(await switches().killSwitch(org, "ks-1")).toEqual(killSwitch("ks-1", { propagation_ms: 12.5 }));
      expect((await subject.store().controlFeed.snapshot()).revision).toBe(before);
      expect(await auditRows(org)).toBe(1);
      expect(await switches().killSwitch(org, "ks-2")).toBeNull();
    });

    // proves API-05, KILL-16
    it("lists newest first, by status, page by page", async () => {
      const org = randomUUID();
      for (let n = 0; n < 5; n += 1) {
        await activate(org, killSwitch(`ks-${String(n)}`, { target_id: `agent-${String(n)}` }));
      }
      await end(org, "ks-3");
      const ids = async (status: "active" | "inactive" | "all", limit: number): Promise<string[][]> => {
        const pages: string[][] = [];
        for (let after: string | null = null; ; ) {
          const page = await switches().killSwitches(org, status, { limit, after });
          if (page === "bad_cursor") throw new Error("the store refused its own cursor");
          pages.push(page.items.map(({ kill_switch_id }) => kill_switch_id));
          if (page.next === null) return pages;
          after = page.next;
        }
      };
      expect(await ids("all", 2)).toEqual([["ks-4", "ks-3"], ["ks-2", "ks-1"], ["ks-0"]]);
      expect(await ids("active", 4)).toEqual([["ks-4", "ks-2", "ks-1", "ks-0"]]);
      expect(await ids("inactive", 1)).toEqual([["ks-3"]]);
    });

    // proves API-05
    it("refuses cursors that no page of this list gave out", async () => {
      const { policies, assignments } = subject.store();
      const base64 = (text: string): string => Buffer.from(text).toString("base64url");
      const bad = [
        "",
        "x",
        "kill-switch:1",
        ...["kill-switch:", "kill-switch:-1", "kill-switch:1.5"].map(base64),
      ];
      const more = [
        base64("policy:p"),
        `${base64("kill-switch:1")}=`,
        base64("kill-switch:99999999999999999"),
      ];
      for (const after of [...bad, ...more]) {
        expect(await switches().killSwitches("org", "all", { limit: 1, after })).toBe("bad_cursor");
      }
      const foreign = { limit: 1, after: base64("kill-switch:1") };
      expect(await policies.policies("org", foreign)).toBe("bad_cursor");
      expect(await policies.policyVersions("org", "p", foreign)).toBe("bad_cursor");
      expect(await assignments.assignments("org", foreign)).toBe("bad_cursor");
    });

    // proves KILL-29
    it("stops at the limit of active switches, per organization", async () => {
      const place = await subject.newPlace();
      const store = await place.open({ limits: { activeKillSwitches: 2, policies: 1 } });
      const add = async (org: string, n: number) =>
        store.killSwitches.activateKillSwitch({
          org,
          record: killSwitch(`ks-${String(n)}`, { target_id: `agent-${String(n)}` }),
          auditRow: "{}",
        });
      expect(await add("org", 1)).toMatchObject({ kind: "activated" });
      expect(await add("org", 2)).toMatchObject({ kind: "activated" });
      expect(await add("org", 3)).toEqual({ kind: "too_many" });
      expect(await add("org", 2)).toMatchObject({ kind: "existing" });
      expect(await add("other", 1)).toMatchObject({ kind: "activated" });
      await store.close();
      await place.remove();
    });
  });
}
