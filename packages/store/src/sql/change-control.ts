import { type Insertable, sql } from "kysely";
import type { ControlMark } from "../control-head-guard.ts";
import type { ControlChange } from "../ports/control-change.ts";
import { CHANNELS } from "../postgres/cluster-channels.ts";
import { appendAuditRows, linkAuditRows } from "./append-audit-rows.ts";
import { digestAt, digestOf } from "./control-digest.ts";
import { inTransaction, type StoreContext, type TransactionContext } from "./store-context.ts";
import type { Tables } from "./tables.ts";

/** The changes of one operation, which are announced and audited together. */
interface Announcement {
  readonly org: string;
  /** At least one. */
  readonly auditRows: readonly string[];
  readonly changes: readonly ControlChange[];
}

/** The changes of several organizations. */
interface SharedAnnouncement {
  /** At least one. */
  readonly auditRows: readonly string[];
  readonly changes: readonly { readonly org: string; readonly change: ControlChange }[];
}

/** A transaction that holds the lock on control state: what it reads stays true until it commits. */
export interface ControlTransaction extends TransactionContext {
  /** The last revision before this change. */
  readonly revision: number;
  /** Writes one event per change, then the audit rows. Resolves with the revision of the last event. */
  announce(announcement: Announcement): Promise<number>;
  /** The same, with the number of the first audit row. */
  announceRow(announcement: Announcement): Promise<Announced>;
  /** The same for several organizations. The first event has the revision after the one before. */
  announceAll(announcement: SharedAnnouncement): Promise<Announced>;
}

interface Announced {
  readonly revision: number;
  readonly seq: number;
}

/**
 * Runs one change of control state. Changes run one after another across all processes of the database, so
 * that revisions commit in order and all races are decided in this place. Lock order everywhere: control
 * head, then log head.
 * @param lane whose turn the change takes, as `laneOf` names it
 */
export async function changeControl<Result>(
  context: StoreContext,
  lane: string,
  work: (control: ControlTransaction) => Promise<Result>,
): Promise<Result> {
  return context.controlTurns.run(lane, async () => changeNow(context, work));
}

async function changeNow<Result>(
  context: StoreContext,
  work: (control: ControlTransaction) => Promise<Result>,
): Promise<Result> {
  const { dialect, controlHead } = context;
  const known = controlHead.mark;
  let announced: ControlMark = known;
  const result = await inTransaction(context, async (inside) => {
    const { revision, digest } = await inside.trx
      .selectFrom("control_head")
      .select("revision")
      .select(digestAt(dialect, known.revision).as("digest"))
      .$if(dialect === "postgres", (query) => query.forUpdate())
      .executeTakeFirstOrThrow();
    controlHead.require(known, { revision, digest });
    const announceAll = async (announcement: SharedAnnouncement) => {
      const made = await announce(inside, revision, announcement);
      // Without changes, the last event is one that this process may not have read.
      if (announcement.changes.length > 0) announced = made;
      return made;
    };
    return work({
      ...inside,
      revision,
      announce: async (announcement) => (await announceAll(sharedBy(announcement))).revision,
      announceRow: async (announcement) => announceAll(sharedBy(announcement)),
      announceAll,
    });
  });
  controlHead.note(announced);
  return result;
}

function sharedBy({ org, auditRows, changes }: Announcement): SharedAnnouncement {
  return { auditRows, changes: changes.map((change) => ({ org, change })) };
}

async function announce(
  inside: TransactionContext,
  revision: number,
  { auditRows, changes }: SharedAnnouncement,
): Promise<Announced & ControlMark> {
  const last = revision + changes.length;
  const events = changes.map(({ org, change }, index) => ({
    revision: revision + index + 1,
    org,
    kind: change.kind,
    change: JSON.stringify(change),
  }));
  const digest = digestOf(inside.dialect, events.at(-1)?.change ?? "");
  if (events.length > 0 && inside.dialect === "postgres")
    return { revision: last, digest, seq: await writeAtOnce(inside, { events, last, auditRows }) };
  if (events.length > 0) {
    await inside.trx.insertInto("control_events").values(events).execute();
    await inside.trx.updateTable("control_head").set({ revision: last }).execute();
  }
  return { revision: last, digest, seq: await appendAuditRows(inside, auditRows) };
}

interface ControlWrite {
  readonly events: readonly Insertable<Tables["control_events"]>[];
  readonly last: number;
  readonly auditRows: readonly string[];
}

/**
 * Everything in one statement, because each round trip to the server makes a kill switch later. PostgreSQL
 * sends the notification when it commits. @returns the number of the first audit row
 */
async function writeAtOnce(
  inside: TransactionContext,
  { events, last, auditRows }: ControlWrite,
): Promise<number> {
  const { firstSeq, values, head } = await linkAuditRows(inside, auditRows);
  await inside.trx
    .with("announced", (db) => db.insertInto("control_events").values(events))
    .with("moved", (db) => db.updateTable("control_head").set({ revision: last }))
    .with("appended", (db) => db.insertInto("audit_rows").values(values))
    .with("linked", (db) => db.updateTable("audit_logs").set(head).where("log_id", "=", inside.logId))
    .selectNoFrom(sql`pg_notify(${CHANNELS.changed}, ${String(last)})`.as("notified"))
    .execute();
  return firstSeq;
}
