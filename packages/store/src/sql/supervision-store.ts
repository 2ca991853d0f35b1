import { parseJson } from "@svc/text/parse-json";
import { type Kysely, sql } from "kysely";
import type {
  ChangedSeverity,
  ReceivedHeartbeat,
  RecordedHeartbeat,
  SessionName,
  SeverityChange,
  SupervisedSession,
  SupervisionStore,
  WatchSpan,
} from "../ports/supervision-store.ts";
import { afterChange, afterHeartbeat, afterReauthentication } from "./after-heartbeat.ts";
import { appendAuditRows } from "./append-audit-rows.ts";
import { changeControl } from "./change-control.ts";
import { listSessions, listWatched } from "./list-supervised.ts";
import { ParentLines } from "./parent-lines.ts";
import { SessionQuota } from "./session-quota.ts";
import { inTransaction, type StoreContext } from "./store-context.ts";
import { nameKey, rowOf, sessionOf, severityChange } from "./supervised-session.ts";
import { readNews } from "./supervision-news.ts";
import type { Tables } from "./tables.ts";
import { readSessions, takeNumbers, writeSessions } from "./write-sessions.ts";

export function createSupervisionStore(context: StoreContext): SupervisionStore {
  const { db } = context;
  return {
    recordHeartbeats: async (heartbeats) => record(context, heartbeats),
    reauthenticate: async (change) => reauthenticate(context, change),
    changeSeverities: async (changes) => changeSeverities(context, changes),
    noteContainment: async (name, done) => noteContainment(context, name, done),
    watched: async (page) => listWatched(context, page),
    news: async (cursor, limit) => readNews(context, cursor, limit),
    watchSpans: async () => {
      const head = await db.selectFrom("supervision_head").select("watch_spans").executeTakeFirstOrThrow();
      return parseJson(head.watch_spans) as WatchSpan[];
    },
    saveWatchSpans: async (spans) => {
      await db
        .updateTable("supervision_head")
        .set({ watch_spans: JSON.stringify(spans) })
        .execute();
    },
    session: async (name) => {
      const row = await named(db, name).executeTakeFirst();
      return row === undefined ? null : sessionOf(row);
    },
    sessionsNamed: async (org, sessionId, limit) => {
      const query = db.selectFrom("supervised_sessions").selectAll().where("org", "=", org);
      const rows = await query.where("session_id", "=", sessionId).orderBy("agent_id").limit(limit).execute();
      return rows.map(sessionOf);
    },
    sessionsOf: async (org, agentId, page) => listSessions(context, { org, agentId, page }),
    forgetEnded: async (beforeMs, limit) => forgetEnded(context, beforeMs, limit),
  };
}

function named(db: Kysely<Tables>, { org, agentId, sessionId }: SessionName) {
  return db
    .selectFrom("supervised_sessions")
    .selectAll()
    .where("org", "=", org)
    .where("agent_id", "=", agentId)
    .where("session_id", "=", sessionId);
}

async function record(
  context: StoreContext,
  heartbeats: readonly ReceivedHeartbeat[],
): Promise<readonly RecordedHeartbeat[]> {
  if (heartbeats.length === 0) return [];
  const askedMs = context.nowMs();
  return inTransaction(context, async (inside) => {
    const connectedMs = Math.max(context.nowMs() - askedMs, 0);
    const { first, nowMs, lockedMs } = await takeNumbers(inside, heartbeats.length);
    // They grew older while they waited for a connection and for the lock.
    const waitedMs = connectedMs + lockedMs;
    const known = await readSessions(inside, heartbeats);
    const begins = (beat: ReceivedHeartbeat) => beat.ended || !isSupervised(known.get(nameKey(beat)));
    const room = await SessionQuota.read(inside, heartbeats.filter(begins));
    const isNamedAnew = (beat: ReceivedHeartbeat) => namesNewParent(known.get(nameKey(beat)) ?? null, beat);
    const lines = await ParentLines.read(inside, heartbeats.filter(isNamedAnew));
    const written = new Map<string, SupervisedSession>();
    const recorded = heartbeats.map((heartbeat, index): RecordedHeartbeat => {
      const key = nameKey(heartbeat);
      const before = known.get(key) ?? null;
      const fault = namesNewParent(before, heartbeat) ? lines.faultOf(heartbeat) : null;
      if (fault !== null) return { kind: "bad_parent", why: fault };
      const full = isSupervised(before) ? null : room.take(heartbeat);
      if (full !== null) return { kind: "too_many", of: full };
      const aged = { ...heartbeat, ageMs: heartbeat.ageMs + waitedMs };
      const session = afterHeartbeat(before, aged, { version: first + index, nowMs });
      known.set(key, session);
      written.set(key, session);
      lines.note(session);
      return { kind: "recorded", session };
    });
    await writeSessions(inside.trx, inside.dialect, [...written.values()]);
    return recorded;
  });
}

function isSupervised(session: SupervisedSession | null | undefined): boolean {
  return session?.endedAtMs === null;
}

function namesNewParent(session: SupervisedSession | null, { parentSessionId }: ReceivedHeartbeat): boolean {
  if (parentSessionId === null) return false;
  return !isSupervised(session) || session?.parentSessionId !== parentSessionId;
}

type Reauthentication = Parameters<SupervisionStore["reauthenticate"]>[0];

async function reauthenticate(
  context: StoreContext,
  change: Reauthentication,
): ReturnType<SupervisionStore["reauthenticate"]> {
  return inTransaction(context, async (inside) => {
    const { first: version, nowMs } = await takeNumbers(inside, 1);
    const found = (await readSessions(inside, [change])).get(nameKey(change));
    if (found === undefined || found.endedAtMs !== null) return { kind: "not_found" };
    const session = afterReauthentication(found, { version, nowMs });
    await writeSessions(inside.trx, inside.dialect, [session]);
    await appendAuditRows(inside, [change.auditRow]);
    return { kind: "noted", session };
  });
}

/** Changes of severity, which concern several organizations at once, take turns with those of each one. */
export const SEVERITY_LANE = "severities";

interface Applied {
  readonly change: SeverityChange;
  readonly before: SupervisedSession;
  readonly session: SupervisedSession;
}

async function changeSeverities(
  context: StoreContext,
  changes: readonly SeverityChange[],
): Promise<readonly ChangedSeverity[]> {
  if (changes.length === 0) return [];
  return changeControl(context, SEVERITY_LANE, async (control) => {
    const { first, nowMs } = await takeNumbers(control, changes.length);
    const known = await readSessions(control, changes);
    const applied = new Map<SeverityChange, Applied>();
    for (const [index, change] of changes.entries()) {
      const before = known.get(nameKey(change));
      if (before?.version !== change.version) continue;
      const session = afterChange(before, change, { version: first + index, nowMs });
      applied.set(change, { change, before, session });
    }
    const all = [...applied.values()];
    await writeSessions(
      control.trx,
      control.dialect,
      all.map(({ session }) => session),
    );
    const raised = all.filter(({ before, session }) => before.severity !== session.severity);
    if (all.length > 0)
      await control.announceAll({
        auditRows: all.flatMap(({ change: { auditRow, furtherRows = [] } }) => [auditRow, ...furtherRows]),
        changes: raised.map(({ session }) => ({ org: session.org, change: severityChange(rowOf(session)) })),
      });
    return changes.map((change): ChangedSeverity => {
      const done = applied.get(change);
      if (done === undefined) return { kind: "moved", session: known.get(nameKey(change)) ?? null };
      const place = raised.indexOf(done);
      const revision = place < 0 ? null : control.revision + place + 1;
      return { kind: "changed", session: done.session, revision };
    });
  });
}

async function noteContainment(
  context: StoreContext,
  name: SessionName,
  { from, to }: Parameters<SupervisionStore["noteContainment"]>[1],
): Promise<void> {
  await inTransaction(context, async (inside) => {
    const { first: version } = await takeNumbers(inside, 1);
    await inside.trx
      .updateTable("supervised_sessions")
      .set({ contained: to, version })
      .where("org", "=", name.org)
      .where("agent_id", "=", name.agentId)
      .where("session_id", "=", name.sessionId)
      .where("contained", "=", from)
      .execute();
  });
}

/** A session that begins again meanwhile is not ended any more when this looks at it. */
async function forgetEnded(context: StoreContext, beforeMs: number, limit: number): Promise<number> {
  return inTransaction(context, async (inside) => {
    await takeNumbers(inside, 0);
    const { numAffectedRows } = await sql`
      DELETE FROM supervised_sessions WHERE version IN (
        SELECT version FROM supervised_sessions
          WHERE ended_at_ms < ${beforeMs} AND severity = 'INFO' AND contained = 'none'
          ORDER BY ended_at_ms LIMIT ${limit}
      )`.execute(inside.trx);
    return Number(numAffectedRows ?? 0);
  });
}
