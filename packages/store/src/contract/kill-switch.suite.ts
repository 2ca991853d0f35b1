import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { DEFAULT_STORE_LIMITS } from "../default-limits.ts";
import { readChain, rowText } from "../testing/expect-chain.ts";
import { killSwitch } from "../testing/records.ts";
import type { ContractSubject } from "./contract-subject.ts";
import { killSwitchActions } from "./kill-switch-actions.suite.ts";

export function killSwitchContract(subject: ContractSubject): void {
  const switches = () => subject.store().killSwitches;

  const { activate, end } = killSwitchActions(subject);

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

    it("knows with which revision and row a switch came, also after it has ended", async () => {
      const org = randomUUID();
      const outcome = await activate(org, killSwitch("ks-1"));
      await end(org, "ks-1");
      const { audit } = subject.store();
      const found = await switches().activation(org, "ks-1");
      expect(found?.revision).toBe(outcome.kind === "activated" && outcome.revision);
      expect(found?.record.status).toBe("inactive");
      const position = found?.auditRow ?? null;
      const row = position === null ? null : await audit.row(position);
      expect(row === null ? "" : rowText(row)).toBe(`{"on":"${org}.ks-1"}`);
      expect(await switches().activation(randomUUID(), "ks-1")).toBeNull();
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

    const extend = async (org: string, id: string, expiresAt: string | null) =>
      switches().extendKillSwitch({ org, id, expiresAt, auditRow: `{"more":"${org}.${id}"}` });

    // proves KILL-34
    it("gives a switch a later end or none, and never a sooner one", async () => {
      const org = randomUUID();
      const record = killSwitch("ks-1", { expires_at: "2026-01-02T03:05:00.000Z", auto_recovery: true });
      await activate(org, record);
      const before = (await subject.store().controlFeed.snapshot()).revision;
      for (const sooner of ["2026-01-02T03:04:59.999Z", "2026-01-02T03:05:00.000Z"]) {
        expect(await extend(org, "ks-1", sooner)).toEqual({ kind: "kept", record });
      }
      const later = { ...record, expires_at: "2026-01-02T03:05:00.001Z" };
      expect(await extend(org, "ks-1", later.expires_at)).toEqual({
        kind: "extended",
        record: later,
        revision: before + 1,
      });
      const endless = { ...record, expires_at: null, auto_recovery: false };
      expect(await extend(org, "ks-1", null)).toEqual({
        kind: "extended",
        record: endless,
        revision: before + 2,
      });
      for (const wished of ["2030-01-01T00:00:00.000Z", null]) {
        expect(await extend(org, "ks-1", wished)).toEqual({ kind: "kept", record: endless });
      }
      expect(await switches().killSwitch(org, "ks-1")).toEqual(endless);
      const events = await subject.store().controlFeed.eventsAfter(before, 10);
      expect(events.map(({ change }) => change)).toEqual(
        [later, endless].map((changed) => ({ kind: "kill_switch", record: changed })),
      );
      expect(await auditRows(org)).toBe(3);
      expect(await extend(org, "ks-2", null)).toEqual({ kind: "not_active" });
      expect(await extend(randomUUID(), "ks-1", null)).toEqual({ kind: "not_active" });
      await end(org, "ks-1");
      expect(await extend(org, "ks-1", null)).toEqual({ kind: "not_active" });
      expect(await auditRows(org)).toBe(4);
    });

    // proves KILL-34
    it("does not end for its time a switch that was extended meanwhile", async () => {
      const org = randomUUID();
      const expires_at = "2026-01-02T03:05:00.000Z";
      await activate(org, killSwitch("ks-1", { expires_at }));
      const expire = async (ifExpiresAt: string) =>
        switches().endKillSwitch({
          org,
          id: "ks-1",
          ifExpiresAt,
          auditRow: `{"over":"${org}"}`,
          endedAt: expires_at,
          endedBy: "ttl_expiry",
          reason: null,
        });
      const later = "2026-01-02T03:06:00.000Z";
      await extend(org, "ks-1", later);
      expect(await expire(expires_at)).toMatchObject({ kind: "extended", record: { expires_at: later } });
      expect(await auditRows(org)).toBe(2);
      expect(await expire(later)).toMatchObject({ kind: "ended", record: { status: "inactive" } });
    });

    it("records a dry run as an audit row alone", async () => {
      const org = randomUUID();
      const before = (await subject.store().controlFeed.snapshot()).revision;
      await switches().recordDryRun({ org, auditRow: `{"dry_run":"${org}"}` });
      expect((await subject.store().controlFeed.snapshot()).revision).toBe(before);
      expect(await auditRows(org)).toBe(1);
      expect(await switches().killSwitches(org, "all", { limit: 1, after: null })).toEqual({
        items: [],
        next: null,
      });
    });

    it("notes propagation without an event or an audit row", async () => {
      const org = randomUUID();
      await activate(org, killSwitch("ks-1"));
      const before = (await subject.store().controlFeed.snapshot()).revision;
      await switches().recordPropagation(org, killSwitch("ks-1"), 12.5);
      expect(await switches().killSwitch(org, "ks-1")).toEqual(killSwitch("ks-1", { propagation_ms: 12.5 }));
      expect((await subject.store().controlFeed.snapshot()).revision).toBe(before);
      expect(await auditRows(org)).toBe(1);
      expect(await switches().killSwitch(org, "ks-2")).toBeNull();
    });

    it("notes propagation at a switch that has ended meanwhile, and leaves its end", async () => {
      const org = randomUUID();
      await activate(org, killSwitch("ks-1"));
      await end(org, "ks-1");
      const ended = await switches().killSwitch(org, "ks-1");
      await switches().recordPropagation(org, killSwitch("ks-1"), 12.5);
      expect(await switches().killSwitch(org, "ks-1")).toEqual({ ...ended, propagation_ms: 12.5 });
      expect(ended?.status).toBe("inactive");
    });

    // proves KILL-29
    it("stops at the limit of active switches, per organization", async () => {
      const place = await subject.newPlace();
      const limits = { ...DEFAULT_STORE_LIMITS, activeKillSwitches: 2, killSwitchesWithDetection: 1 };
      const store = await place.open({ limits });
      const add = async (org: string, n: number, changes = {}) =>
        store.killSwitches.activateKillSwitch({
          org,
          record: killSwitch(`ks-${String(n)}`, { target_id: `agent-${String(n)}`, ...changes }),
          auditRow: "{}",
        });
      const detected = { trigger_source: "rogue_detection" };
      expect(await add("org", 1)).toMatchObject({ kind: "activated" });
      expect(await add("org", 9, detected)).toEqual({ kind: "too_many" });
      expect(await add("org", 2)).toMatchObject({ kind: "activated" });
      expect(await add("org", 3)).toEqual({ kind: "too_many" });
      const everything = { scope: "global", target_id: null, account_wide: true };
      expect(await add("org", 4, everything)).toMatchObject({ kind: "activated" });
      expect(await add("org", 2)).toMatchObject({ kind: "existing" });
      expect(await add("other", 1)).toMatchObject({ kind: "activated" });
      await store.close();
      await place.remove();
    });
  });
}
