import { parseJsonObject } from "@svc/audit-log/parse-json-object";
import { sql, type Transaction } from "kysely";
import type { ControlMark } from "../control-head-guard.ts";
import type {
  ControlChange,
  ControlEvent,
  ControlSnapshot,
  UnreadableEvent,
} from "../ports/control-change.ts";
import type { ControlFeedStore } from "../ports/control-feed-store.ts";
import { digestAt, digestOf } from "./control-digest.ts";
import { prepared } from "./prepared.ts";
import { changesOf, readSnapshotPages, type SnapshotPage } from "./snapshot-pages.ts";
import type { Dialect, StoreContext } from "./store-context.ts";
import type { Tables } from "./tables.ts";

export function createControlFeedStore(context: StoreContext): ControlFeedStore {
  const { db, dialect, controlHead } = context;
  return {
    snapshot: async () => {
      const changes: ControlSnapshot["changes"][number][] = [];
      const revision = await readSnapshot(context, (page) => {
        for (const change of changesOf(page)) changes.push(change);
      });
      return { revision, changes };
    },
    eventsAfter: async (revision, limit) => {
      const known = controlHead.mark;
      const { rows } = await sql<EventRow>`
        ${prepared("svc-events-after")}
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

/**
 * Hands over all control state, page after page, as of one moment. @returns the revision of that moment.
 * What was handed over counts when this resolves.
 */
export async function readSnapshot(
  { db, dialect, controlHead }: Pick<StoreContext, "db" | "dialect" | "controlHead">,
  take: (page: SnapshotPage) => void | Promise<void>,
): Promise<number> {
  const known = controlHead.mark;
  // Repeatable read: policies, bindings, switches and revision must be from the same moment.
  const reading = db.transaction().setIsolationLevel("repeatable read");
  const { revision, digest } = await reading.execute(async (trx) => {
    const head = await readHead(trx, dialect, known);
    controlHead.require(known, { revision: head.revision, digest: head.known_digest });
    for await (const page of readSnapshotPages(trx, dialect)) await take(page);
    return head;
  });
  controlHead.note({ revision, digest });
  return revision;
}

type EventRow = { readonly head: number; readonly known_digest: string | null } & (
  | { readonly revision: number; readonly org: string; readonly change: string }
  | { readonly revision: null }
);

function eventOf(row: EventRow): readonly (ControlEvent | UnreadableEvent)[] {
  if (row.revision === null) return [];
  const { revision, org, change } = row;
  const read = parseJsonObject(change);
  if (read === null) return [{ revision, org, change: { kind: "unreadable" } }];
  return [{ revision, org, change: read as unknown as ControlChange }];
}

async function readHead(trx: Transaction<Tables>, dialect: Dialect, known: ControlMark) {
  return trx
    .selectFrom("control_head")
    .select("revision")
    .select(digestAt(dialect, sql.ref("control_head.revision")).as("digest"))
    .select(digestAt(dialect, known.revision).as("known_digest"))
    .executeTakeFirstOrThrow();
}
