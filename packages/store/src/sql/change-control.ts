import { type Insertable, type OperationNodeSource, sql } from "kysely";
import type { ControlMark } from "../control-head-guard.ts";
import type { ControlChange } from "../ports/control-change.ts";
import { CHANNELS } from "../postgres/cluster-channels.ts";
import { appendAuditRows, linkAuditRows } from "./append-audit-rows.ts";
import { digestAt, digestOf } from "./control-digest.ts";
import { prepared } from "./prepared.ts";
import { type Dialect, inTransaction, type StoreContext, type TransactionContext } from "./store-context.ts";
import type { Tables } from "./tables.ts";

/** Statements that PostgreSQL runs as parts of the announcement, instead of in round trips of their own. */
export type Beside = (announced: Announced) => readonly OperationNodeSource[];

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
  /**
   * The same, with the number of the first audit row.
   * @param beside for PostgreSQL alone, with at least one change
   */
  announceRow(announcement: Announcement, beside?: Beside): Promise<Announced>;
  /** The same for several organizations. The first event has the revision after the one before. */
  announceAll(announcement: SharedAnnouncement): Promise<Announced>;
}

export interface Announced {
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
  return context.controlQueue.run(lane, async () => changeNow(context, work));
}

async function changeNow<Result>(
  context: StoreContext,
  work: (control: ControlTransaction) => Promise<Result>,
): Promise<Result> {
  const { dialect, controlHead } = context;
  const known = controlHead.mark;
  let announced: ControlMark = known;
  const result = await inTransaction(context, async (inside) => {
    const { revision, digest } = await lockControl(inside, dialect, known);
    controlHead.require(known, { revision, digest });
    const announceAll = async (announcement: SharedAnnouncement, beside?: Beside) => {
      const made = await announce(inside, revision, announcement, beside);
      // Without changes, the last event is one that this process may not have read.
      if (announcement.changes.length > 0) announced = made;
      return made;
    };
    return work({
      ...inside,
      revision,
      announce: async (announcement) => (await announceAll(sharedBy(announcement))).revision,
      announceRow: async (announcement, beside) => announceAll(sharedBy(announcement), beside),
      announceAll: async (announcement) => announceAll(announcement),
    });
  });
  controlHead.note(announced);
  return result;
}

/** The head, and the digest of the change that this process knows to be the newest. */
async function lockControl(
  { trx }: TransactionContext,
  dialect: Dialect,
  known: ControlMark,
): Promise<ControlMark> {
  const lock = dialect === "postgres" ? sql`FOR UPDATE` : sql``;
  const { rows } = await sql<ControlMark>`
    ${prepared("svc-lock-control")}
    SELECT revision, ${digestAt(dialect, known.revision)} AS digest FROM control_head ${lock}`.execute(trx);
  const [head] = rows;
  if (head === undefined) throw new Error("control_head: expected one row, found none");
  return head;
}

function sharedBy({ org, auditRows, changes }: Announcement): SharedAnnouncement {
  return { auditRows, changes: changes.map((change) => ({ org, change })) };
}

async function announce(
  inside: TransactionContext,
  revision: number,
  { auditRows, changes }: SharedAnnouncement,
  beside: Beside = () => [],
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
    return { revision: last, digest, seq: await writeAtOnce(inside, { events, last, auditRows, beside }) };
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
  readonly beside: Beside;
}

/**
 * Everything in one statement, because each round trip to the server makes a kill switch later. PostgreSQL
 * sends the notification when it commits. @returns the number of the first audit row
 */
async function writeAtOnce(
  inside: TransactionContext,
  { events, last, auditRows, beside }: ControlWrite,
): Promise<number> {
  const { firstSeq, values, head } = await linkAuditRows(inside, auditRows);
  const { trx, logId } = inside;
  const writes: readonly OperationNodeSource[] = [
    trx.insertInto("control_events").values(events),
    trx.updateTable("control_head").set({ revision: last }),
    trx.insertInto("audit_rows").values(values),
    trx.updateTable("audit_logs").set(head).where("log_id", "=", logId),
    ...beside({ revision: last, seq: firstSeq }),
  ];
  const parts = writes.map((write, index) => sql`${sql.ref(`write_${String(index)}`)} AS (${write})`);
  await sql`WITH ${sql.join(parts)} SELECT pg_notify(${CHANNELS.changed}, ${String(last)})`.execute(trx);
  return firstSeq;
}
