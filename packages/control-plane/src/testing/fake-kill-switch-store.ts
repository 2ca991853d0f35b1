import type { KillSwitchRecord } from "@svc/contract/kill-switch";
import type { KillSwitchStore } from "@svc/store/ports/kill-switch-store";
import { type FakeDatabase, ofOrg, pageOf } from "./fake-database.ts";

export function fakeKillSwitchStore(database: FakeDatabase): KillSwitchStore {
  return {
    activateKillSwitch: (change) => database.transact("activateKillSwitch", () => activate(database, change)),
    extendKillSwitch: (change) => database.transact("extendKillSwitch", () => extend(database, change)),
    endKillSwitch: (change) => database.transact("endKillSwitch", () => end(database, change)),
    recordPropagation: (org, id, propagation_ms) =>
      database.transact("recordPropagation", () => {
        const record = find(database, org, id);
        if (record === null) throw new Error(`no kill switch ${id}`);
        database.killSwitches.set(id, { org, entity: { ...record, propagation_ms } });
      }),
    killSwitch: (org, id) => database.transact("killSwitch", () => find(database, org, id)),
    killSwitches: (org, status, page) =>
      database.transact("killSwitches", () => {
        const newestFirst = ofOrg(org, database.killSwitches.values()).toReversed();
        return pageOf(
          newestFirst.filter((record) => status === "all" || record.status === status),
          page,
        );
      }),
  };
}

type Activating = Parameters<KillSwitchStore["activateKillSwitch"]>[0];
type Extension = Parameters<KillSwitchStore["extendKillSwitch"]>[0];
type Ending = Parameters<KillSwitchStore["endKillSwitch"]>[0];

function activate(
  database: FakeDatabase,
  change: Activating,
): Awaited<ReturnType<KillSwitchStore["activateKillSwitch"]>> {
  const { org, record } = change;
  const active = ofOrg(org, database.killSwitches.values()).filter(({ status }) => status === "active");
  const existing = active.find((other) => targetOf(other) === targetOf(record));
  if (existing !== undefined) return { kind: "existing", record: existing };
  if (active.length >= database.activeSwitchLimit) return { kind: "too_many" };
  database.killSwitches.set(record.kill_switch_id, { org, entity: record });
  return { kind: "activated", revision: database.write(change, [{ kind: "kill_switch", record }]) };
}

function extend(
  database: FakeDatabase,
  change: Extension,
): Awaited<ReturnType<KillSwitchStore["extendKillSwitch"]>> {
  const { org, id, expiresAt } = change;
  const found = find(database, org, id);
  if (found === null || found.status === "inactive") return { kind: "not_active" };
  const { expires_at: current } = found;
  const isLater = current !== null && (expiresAt === null || expiresAt > current);
  if (!isLater) return { kind: "kept", record: found };
  const auto_recovery = expiresAt !== null && found.auto_recovery;
  const record: KillSwitchRecord = { ...found, expires_at: expiresAt, auto_recovery };
  database.killSwitches.set(id, { org, entity: record });
  return { kind: "extended", record, revision: database.write(change, [{ kind: "kill_switch", record }]) };
}

function end(database: FakeDatabase, change: Ending): Awaited<ReturnType<KillSwitchStore["endKillSwitch"]>> {
  const { org, id, endedAt: ended_at, endedBy: ended_by, reason: end_reason } = change;
  const found = find(database, org, id);
  if (found === null) return { kind: "not_found" };
  if (found.status === "inactive") return { kind: "already_inactive", record: found };
  const { ifExpiresAt } = change;
  if (ifExpiresAt !== undefined && found.expires_at !== ifExpiresAt)
    return { kind: "extended", record: found };
  const record: KillSwitchRecord = { ...found, status: "inactive", ended_at, ended_by, end_reason };
  database.killSwitches.set(id, { org, entity: record });
  return { kind: "ended", record, revision: database.write(change, [{ kind: "kill_switch", record }]) };
}

function find(database: FakeDatabase, org: string, id: string): KillSwitchRecord | null {
  const owned = database.killSwitches.get(id);
  return owned?.org === org ? owned.entity : null;
}

/** All account-wide switches of an organization stop the same: everything. */
export function targetOf({ account_wide, scope, target_id }: KillSwitchRecord): string {
  return account_wide ? "*" : `${scope}:${target_id ?? ""}`;
}
