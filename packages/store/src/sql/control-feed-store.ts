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
import type { PolicyAssignmentsTable, Tables } from "./tables.ts";

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

/**
 * Rows that are read at once, as counts. A page takes milliseconds, so no statement reaches its deadline,
 * however much control state there is. With PostgreSQL the serving thread does other work between pages.
 */
const POLICIES_PER_PAGE = 100;
const RECORDS_PER_PAGE = 1_000;

interface PageOf<Row> {
  readonly perPage: number;
  readonly read: (after: Row | null) => Promise<readonly Row[]>;
  readonly changeOf: (row: Row) => ControlChange;
}

/** Reads page after page. The transaction holds them to one moment. */
async function readPages<Row extends { readonly org: string }>(page: PageOf<Row>): Promise<OrgChange[]> {
  const { perPage, read, changeOf } = page;
  const changes: OrgChange[] = [];
  for (let after: Row | null = null; ; ) {
    const rows: readonly Row[] = await read(after);
    for (const row of rows) changes.push({ org: row.org, change: changeOf(row) });
    if (rows.length < perPage) return changes;
    after = rows.at(-1) ?? null;
  }
}

async function policyChanges(trx: Transaction<Tables>): Promise<OrgChange[]> {
  const query = trx
    .selectFrom("policies as p")
    .innerJoin("policy_versions as v", (join) =>
      join
        .onRef("v.org", "=", "p.org")
        .onRef("v.id", "=", "p.id")
        .onRef("v.version", "=", "p.latest_version"),
    )
    .select(["p.org", "p.id", "v.version", "v.record", "v.source", "p.enabled"])
    .orderBy("p.org")
    .orderBy("p.id")
    .limit(POLICIES_PER_PAGE);
  return readPages({
    perPage: POLICIES_PER_PAGE,
    read: async (after: Awaited<ReturnType<typeof query.execute>>[number] | null) =>
      (after === null
        ? query
        : query.where((eb) => eb(eb.refTuple("p.org", "p.id"), ">", eb.tuple(after.org, after.id)))
      ).execute(),
    changeOf: ({ id, version, record, source, enabled: isEnabled }) => {
      const { document } = JSON.parse(record) as PolicyVersionRecord;
      const [json, enabled] = [JSON.stringify(document), isEnabled === 1];
      return { kind: "policy", policyId: id, version, enabled, source, json };
    },
  });
}

async function assignmentChanges(trx: Transaction<Tables>): Promise<OrgChange[]> {
  const query = trx
    .selectFrom("policy_assignments")
    .selectAll()
    .orderBy("org")
    .orderBy("id")
    .limit(RECORDS_PER_PAGE);
  return readPages({
    perPage: RECORDS_PER_PAGE,
    read: async (after: PolicyAssignmentsTable | null) =>
      (after === null
        ? query
        : query.where((eb) => eb(eb.refTuple("org", "id"), ">", eb.tuple(after.org, after.id)))
      ).execute(),
    changeOf: (row) => ({ kind: "assignment", record: assignmentRecord(row), removed: false }),
  });
}

/** By target, because an index over active switches has this order. */
async function switchChanges(trx: Transaction<Tables>): Promise<OrgChange[]> {
  const query = trx
    .selectFrom("kill_switches")
    .select(["org", "target", "record"])
    .where("status", "=", "active")
    .orderBy("org")
    .orderBy("target")
    .limit(RECORDS_PER_PAGE);
  return readPages({
    perPage: RECORDS_PER_PAGE,
    read: async (after: Awaited<ReturnType<typeof query.execute>>[number] | null) =>
      (after === null
        ? query
        : query.where((eb) => eb(eb.refTuple("org", "target"), ">", eb.tuple(after.org, after.target)))
      ).execute(),
    changeOf: ({ record }) => ({ kind: "kill_switch", record: JSON.parse(record) as KillSwitchRecord }),
  });
}

async function keyChanges(trx: Transaction<Tables>): Promise<OrgChange[]> {
  const query = trx
    .selectFrom("keys")
    .select(["id", "org", "record"])
    .where("status", "=", "active")
    .orderBy("id")
    .limit(RECORDS_PER_PAGE);
  return readPages({
    perPage: RECORDS_PER_PAGE,
    read: async (after: Awaited<ReturnType<typeof query.execute>>[number] | null) =>
      (after === null ? query : query.where("id", ">", after.id)).execute(),
    changeOf: ({ record }) => ({ kind: "key", key: parseStoredKey(record) }),
  });
}
