import type { KillSwitchRecord } from "@svc/contract/kill-switch";
import type { PolicyVersionRecord } from "@svc/contract/policy";
import { sql, type Transaction } from "kysely";
import type { ControlMark } from "../control-head-guard.ts";
import type { ControlChange, ControlEvent, ControlSnapshot } from "../ports/control-change.ts";
import type { ControlFeedStore } from "../ports/control-feed-store.ts";
import { digestAt, digestOf } from "./control-digest.ts";
import { parseStoredKey } from "./key-rows.ts";
import { assignmentRecord } from "./policy-binding.ts";
import type { Dialect, StoreContext } from "./store-context.ts";
import type { Tables } from "./tables.ts";

export function createControlFeedStore(context: StoreContext): ControlFeedStore {
  const { db, dialect, controlHead } = context;
  return {
    snapshot: async () => {
      const known = controlHead.mark;
      // Repeatable read: policies, bindings, switches and revision must be from the same moment.
      const reading = db.transaction().setIsolationLevel("repeatable read");
      const { snapshot, head } = await reading.execute(async (trx) => {
        const read = await readHead(trx, dialect, known);
        controlHead.require(known, { revision: read.revision, digest: read.known_digest });
        return { snapshot: await readSnapshot(trx, read.revision), head: read };
      });
      controlHead.note({ revision: head.revision, digest: head.digest });
      return snapshot;
    },
    eventsAfter: async (revision, limit) => {
      const known = controlHead.mark;
      const { rows } = await sql<EventRow>`
        SELECT h.revision AS head, ${digestAt(dialect, known.revision)} AS known_digest,
            e.revision, e.org, e.change
          FROM control_head AS h LEFT JOIN (
            SELECT revision, org, change FROM control_events WHERE revision > ${revision}
              ORDER BY revision LIMIT ${limit}
          ) AS e ON true ORDER BY e.revision`.execute(db);
      const [first] = rows;
      if (first === undefined) throw new Error("control_head: expected one row, found none");
      controlHead.require(known, { revision: first.head, digest: first.known_digest });
      const events = rows.flatMap(eventOf);
      const last = rows.at(-1);
      if (last !== undefined && last.revision !== null)
        controlHead.note({ revision: last.revision, digest: digestOf(dialect, last.change) });
      return events;
    },
  };
}

type EventRow = { readonly head: number; readonly known_digest: string | null } & (
  | { readonly revision: number; readonly org: string; readonly change: string }
  | { readonly revision: null }
);

function eventOf(row: EventRow): readonly ControlEvent[] {
  if (row.revision === null) return [];
  const { revision, org, change } = row;
  return [{ revision, org, change: JSON.parse(change) as ControlChange }];
}

async function readHead(trx: Transaction<Tables>, dialect: Dialect, known: ControlMark) {
  return trx
    .selectFrom("control_head")
    .select("revision")
    .select(digestAt(dialect, sql.ref("control_head.revision")).as("digest"))
    .select(digestAt(dialect, known.revision).as("known_digest"))
    .executeTakeFirstOrThrow();
}

type OrgChange = ControlSnapshot["changes"][number];

async function readSnapshot(trx: Transaction<Tables>, revision: number): Promise<ControlSnapshot> {
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
