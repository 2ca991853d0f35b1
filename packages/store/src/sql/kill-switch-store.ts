import type { DecisionRow } from "@svc/contract/audit-row";
import type { KillSwitchRecord } from "@svc/contract/kill-switch";
import { type OperationNodeSource, sql } from "kysely";
import { MAX_CLUSTER_MEMBERS } from "../ports/cluster.ts";
import type { KillSwitchStore } from "../ports/kill-switch-store.ts";
import type { SessionName } from "../ports/supervision-store.ts";
import { ActiveSwitchBounds } from "./active-switch-bounds.ts";
import { appendAuditRows } from "./append-audit-rows.ts";
import { type Announced, type Beside, type ControlTransaction, changeControl } from "./change-control.ts";
import { queueKey } from "./control-queue.ts";
import { lockKillSwitch, parseRecord } from "./lock-kill-switch.ts";
import { cutPage, numberStart } from "./page-start.ts";
import { recordPropagation } from "./record-propagation.ts";
import { inTurn, type StoreContext, type TransactionContext } from "./store-context.ts";
import { nameKey } from "./supervised-session.ts";
import { readSessions } from "./write-sessions.ts";

export function createKillSwitchStore(context: StoreContext): KillSwitchStore {
  const bounds = new ActiveSwitchBounds();
  return {
    activateKillSwitch: async (change) => activate(context, bounds, change),
    extendKillSwitch: async (change) => extend(context, change),
    endKillSwitch: async (change) => end(context, change),
    recordDryRun: async ({ org, auditRow }) => {
      await inTurn(context, queueKey(org, "ordinary"), async (inside) => appendAuditRows(inside, [auditRow]));
    },
    recordPropagation: async (org, record, propagationMs) =>
      recordPropagation(context, { org, record, propagationMs }),
    killSwitch: async (org, id) => {
      const row = await context.db
        .selectFrom("kill_switches")
        .select("record")
        .where("org", "=", org)
        .where("id", "=", id)
        .executeTakeFirst();
      return row === undefined ? null : parseRecord(row.record);
    },
    activation: async (org, id) => activation(context, org, id),
    activeKillSwitches: async (org, targets) => {
      const rows = await context.db
        .selectFrom("kill_switches")
        .select("record")
        .where("org", "=", org)
        .where("status", "=", "active")
        .where("target", "in", [EVERYTHING, ...targets.map(({ scope, id }) => `${scope}:${id}`)])
        .execute();
      return rows.map(({ record }) => parseRecord(record));
    },
    killSwitches: async (org, status, page) => list(context, { org, status, page }),
  };
}

type Activation = Parameters<KillSwitchStore["activateKillSwitch"]>[0];
type Extension = Parameters<KillSwitchStore["extendKillSwitch"]>[0];
type Ending = Parameters<KillSwitchStore["endKillSwitch"]>[0];

async function activate(
  context: StoreContext,
  bounds: ActiveSwitchBounds,
  { org, auditRow, record, demandedBy }: Activation,
): ReturnType<KillSwitchStore["activateKillSwitch"]> {
  return changeControl(context, queueKey(org, "urgent"), async (control) => {
    if (demandedBy !== undefined && !(await isTerminated(control, demandedBy)))
      return { kind: "not_demanded" };
    const target = targetText(record);
    const existing = await control.trx
      .selectFrom("kill_switches")
      .select("record")
      .where("org", "=", org)
      .where("target", "=", target)
      .where("status", "=", "active")
      .executeTakeFirst();
    if (existing !== undefined) return { kind: "existing", record: parseRecord(existing.record) };
    const bound = { org, limit: limitFor(control, record), revision: control.revision };
    if (await bounds.isFull(bound, () => countActive(control, org))) return { kind: "too_many" };
    const changes = [{ kind: "kill_switch", record } as const];
    const announcement = { org, auditRows: [auditRow], changes };
    const id = record.kill_switch_id;
    const stored = ({ revision, seq }: Announced) =>
      control.trx.insertInto("kill_switches").values({
        org,
        id,
        target,
        status: "active",
        revision,
        record: JSON.stringify(record),
        audit_log_id: control.logId,
        audit_seq: seq,
      });
    if (control.dialect === "postgres") {
      const beside: Beside = (announced) => [stored(announced), listMembers({ org, id, ...announced })];
      return { kind: "activated", revision: (await control.announceRow(announcement, beside)).revision };
    }
    const announced = await control.announceRow(announcement);
    await stored(announced).execute();
    return { kind: "activated", revision: announced.revision };
  });
}

/** Severities change in turn with this transaction, so it stays so until the commit. */
async function isTerminated(control: ControlTransaction, demandedBy: SessionName): Promise<boolean> {
  const session = (await readSessions(control, [demandedBy])).get(nameKey(demandedBy));
  return session?.severity === "EMERGENCY";
}

const TOO_MANY = sql.lit(MAX_CLUSTER_MEMBERS + 1);

/** An organization has one switch that stops everything, and can always have it. */
function limitFor(
  { limits }: Pick<TransactionContext, "limits">,
  { account_wide, trigger_source }: KillSwitchRecord,
): number {
  if (account_wide) return Number.POSITIVE_INFINITY;
  return trigger_source === "rogue_detection" ? limits.killSwitchesWithDetection : limits.activeKillSwitches;
}

interface ListedSwitch {
  readonly org: string;
  readonly id: string;
  readonly revision: number;
}

/**
 * Lists everybody who has to acknowledge. The list outlives the process that activates the switch. Of too
 * many, nobody is listed: the switch must not wait, and its certificate claims nothing before the leases end.
 */
function listMembers({ org, id, revision }: ListedSwitch): OperationNodeSource {
  return sql`
    INSERT INTO kill_switch_gateways (org, kill_switch_id, member_id, epoch, host, version, role, revision)
      SELECT ${org}, ${id}, m.id, m.epoch, m.host, m.version, m.role, ${revision}::bigint
        FROM cluster_members AS m
        WHERE (SELECT count(*) FROM (SELECT FROM cluster_members LIMIT ${TOO_MANY}) AS few) < ${TOO_MANY}`;
}

async function activation(
  { db }: StoreContext,
  org: string,
  id: string,
): ReturnType<KillSwitchStore["activation"]> {
  const row = await db
    .selectFrom("kill_switches")
    .select(["record", "revision", "audit_log_id", "audit_seq"])
    .where("org", "=", org)
    .where("id", "=", id)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { audit_log_id: logId, audit_seq: seq } = row;
  const auditRow = logId === null || seq === null ? null : { logId, seq };
  return { record: parseRecord(row.record), revision: row.revision, auditRow };
}

/** The target of a switch that stops everything. All account-wide switches of an organization share it. */
const EVERYTHING = "*";

function targetText({ account_wide, scope, target_id }: KillSwitchRecord): string {
  return account_wide || target_id === null ? EVERYTHING : `${scope}:${target_id}`;
}

/** The targets of every switch that stops this call. */
export function switchTargetsOf({
  namespace,
  agent_id,
  session_id,
  tool,
}: Pick<DecisionRow, "namespace" | "agent_id" | "session_id" | "tool">): readonly string[] {
  const session = session_id === null ? [] : [`session:${session_id}`];
  return [EVERYTHING, `namespace:${namespace}`, `agent:${agent_id}`, ...session, `tool:${tool}`];
}

/** The target of the switches that stop a namespace. */
export function namespaceTarget(id: string): string {
  return `namespace:${id}`;
}

async function countActive({ trx }: TransactionContext, org: string): Promise<number> {
  const { count } = await trx
    .selectFrom("kill_switches")
    .select((query) => query.fn.countAll<number>().as("count"))
    .where("org", "=", org)
    .where("status", "=", "active")
    .executeTakeFirstOrThrow();
  return count;
}

async function extend(
  context: StoreContext,
  { org, id, expiresAt, auditRow }: Extension,
): ReturnType<KillSwitchStore["extendKillSwitch"]> {
  return changeControl(context, queueKey(org, "urgent"), async (control) => {
    const found = await lockKillSwitch(control, org, id);
    if (found === null || found.status === "inactive") return { kind: "not_active" };
    if (!isLater(expiresAt, found.expires_at)) return { kind: "kept", record: found };
    // A switch that never ends by itself cannot recover by itself.
    const auto_recovery = expiresAt !== null && found.auto_recovery;
    const record: KillSwitchRecord = { ...found, expires_at: expiresAt, auto_recovery };
    const revision = await changeRecord(control, { org, id, record, auditRow });
    return { kind: "extended", record, revision };
  });
}

/** Whether an end is later than another one. Null means never, and nothing is later than that. */
function isLater(wished: string | null, current: string | null): boolean {
  if (current === null) return false;
  return wished === null || Date.parse(wished) > Date.parse(current);
}

async function end(context: StoreContext, change: Ending): ReturnType<KillSwitchStore["endKillSwitch"]> {
  const { org, id, auditRow } = change;
  return changeControl(context, queueKey(org, "urgent"), async (control) => {
    const found = await lockKillSwitch(control, org, id);
    if (found === null) return { kind: "not_found" };
    if (found.status === "inactive") return { kind: "already_inactive", record: found };
    const expected = change.ifExpiresAt;
    if (expected !== undefined && found.expires_at !== expected) return { kind: "extended", record: found };
    const record: KillSwitchRecord = {
      ...found,
      status: "inactive",
      ended_at: change.endedAt,
      ended_by: change.endedBy,
      end_reason: change.reason,
    };
    const revision = await changeRecord(control, { org, id, record, auditRow });
    return { kind: "ended", record, revision };
  });
}

interface ChangedRecord {
  readonly org: string;
  readonly id: string;
  readonly record: KillSwitchRecord;
  readonly auditRow: string;
}

/** Stores the new state of a switch and announces it. @returns the revision of the announcement */
async function changeRecord(
  control: ControlTransaction,
  { org, id, record, auditRow }: ChangedRecord,
): Promise<number> {
  await control.trx
    .updateTable("kill_switches")
    .set({ status: record.status, record: JSON.stringify(record) })
    .where("org", "=", org)
    .where("id", "=", id)
    .execute();
  return control.announce({ org, auditRows: [auditRow], changes: [{ kind: "kill_switch", record }] });
}

interface ListRequest {
  readonly org: string;
  readonly status: Parameters<KillSwitchStore["killSwitches"]>[1];
  readonly page: Parameters<KillSwitchStore["killSwitches"]>[2];
}

async function list(
  { db }: StoreContext,
  { org, status, page }: ListRequest,
): ReturnType<KillSwitchStore["killSwitches"]> {
  const start = numberStart("kill-switch", page);
  if (start === "bad_cursor") return "bad_cursor";
  const everything = start.kind === "first" && status !== "inactive" ? await activeEverything(db, org) : [];
  let query = db
    .selectFrom("kill_switches")
    .select(["record", "revision"])
    .where("org", "=", org)
    .where((eb) => eb.or([eb("target", "<>", EVERYTHING), eb("status", "<>", "active")]))
    .orderBy("revision", "desc")
    .limit(page.limit + 1);
  if (status !== "all") query = query.where("status", "=", status);
  if (start.kind === "after") query = query.where("revision", "<", start.key);
  return cutPage([...everything, ...(await query.execute())], page.limit, {
    kind: "kill-switch",
    key: ({ revision }) => revision,
    item: ({ record }) => parseRecord(record),
  });
}

/** The active switch that stops everything, which the list shows before the newest one. */
async function activeEverything(
  db: StoreContext["db"],
  org: string,
): Promise<readonly { readonly record: string; readonly revision: number }[]> {
  const row = await db
    .selectFrom("kill_switches")
    .select("record")
    .where("org", "=", org)
    .where("target", "=", EVERYTHING)
    .where("status", "=", "active")
    .executeTakeFirst();
  return row === undefined ? [] : [{ record: row.record, revision: Number.MAX_SAFE_INTEGER }];
}
