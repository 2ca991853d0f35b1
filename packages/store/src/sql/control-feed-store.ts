import type { KillSwitchRecord } from "@svc/contract/kill-switch";
import type { PolicyVersionRecord } from "@svc/contract/policy";
import type { Transaction } from "kysely";
import type { ControlChange, ControlSnapshot } from "../ports/control-change.ts";
import type { ControlFeedStore } from "../ports/control-feed-store.ts";
import { parseStoredKey } from "./key-rows.ts";
import { assignmentRecord } from "./policy-binding.ts";
import type { StoreContext } from "./store-context.ts";
import type { Tables } from "./tables.ts";

export function createControlFeedStore({ db }: StoreContext): ControlFeedStore {
  return {
    // Repeatable read: policies, bindings, switches and revision must be from the same moment.
    snapshot: async () => db.transaction().setIsolationLevel("repeatable read").execute(readSnapshot),
    eventsAfter: async (revision, limit) => {
      const rows = await db
        .selectFrom("control_events")
        .select(["revision", "org", "change"])
        .where("revision", ">", revision)
        .orderBy("revision")
        .limit(limit)
        .execute();
      return rows.map((row) => ({ ...row, change: JSON.parse(row.change) as ControlChange }));
    },
  };
}

type OrgChange = ControlSnapshot["changes"][number];

async function readSnapshot(trx: Transaction<Tables>): Promise<ControlSnapshot> {
  const { revision } = await trx.selectFrom("control_head").select("revision").executeTakeFirstOrThrow();
  return {
    revision,
    changes: [
      ...(await policyChanges(trx)),
      ...(await assignmentChanges(trx)),
      ...(await switchChanges(trx)),
      ...(await keyChanges(trx)),
    ],
  };
}

async function policyChanges(trx: Transaction<Tables>): Promise<OrgChange[]> {
  const rows = await trx
    .selectFrom("policies as p")
    .innerJoin("policy_versions as v", (join) =>
      join
        .onRef("v.org", "=", "p.org")
        .onRef("v.id", "=", "p.id")
        .onRef("v.version", "=", "p.latest_version"),
    )
    .select(["v.org", "v.id", "v.version", "v.record", "v.source", "p.enabled"])
    .orderBy("v.org")
    .orderBy("v.id")
    .execute();
  return rows.map(({ org, id, version, record, source, enabled: isEnabled }) => {
    const { document } = JSON.parse(record) as PolicyVersionRecord;
    const [json, enabled] = [JSON.stringify(document), isEnabled === 1];
    return { org, change: { kind: "policy", policyId: id, version, enabled, source, json } };
  });
}

async function assignmentChanges(trx: Transaction<Tables>): Promise<OrgChange[]> {
  const rows = await trx.selectFrom("policy_assignments").selectAll().orderBy("org").orderBy("id").execute();
  return rows.map((row) => ({
    org: row.org,
    change: { kind: "assignment", record: assignmentRecord(row), removed: false },
  }));
}

async function switchChanges(trx: Transaction<Tables>): Promise<OrgChange[]> {
  const rows = await trx
    .selectFrom("kill_switches")
    .select(["org", "record"])
    .where("status", "=", "active")
    .orderBy("revision")
    .execute();
  return rows.map(({ org, record }) => ({
    org,
    change: { kind: "kill_switch", record: JSON.parse(record) as KillSwitchRecord },
  }));
}

async function keyChanges(trx: Transaction<Tables>): Promise<OrgChange[]> {
  const rows = await trx
    .selectFrom("keys")
    .select(["org", "record"])
    .where("status", "=", "active")
    .orderBy("id")
    .execute();
  return rows.map(({ org, record }) => ({ org, change: { kind: "key", key: parseStoredKey(record) } }));
}
