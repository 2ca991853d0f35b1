import {
  type Cluster,
  type ClusterAnswer,
  type ClusterMember,
  type ClusterQuestion,
  type ClusterView,
  MAX_CLUSTER_MEMBERS,
  type ProcessFacts,
  type ProcessReport,
  type ProcessRole,
  type ReachedMember,
  TooManyMembersError,
} from "../ports/cluster.ts";
import { CHANNELS, CHANNELS_OF, MAX_PAYLOAD_BYTES } from "./cluster-channels.ts";
import type { ClusterSession } from "./cluster-session.ts";
import { LeaderSession } from "./leader-session.ts";
import { makeRoom, memberRemoval } from "./member-removal.ts";
import { memberSigns } from "./member-signs.ts";
import type { PrimaryServer } from "./primary-server.ts";

export interface PostgresClusterParts {
  readonly session: ClusterSession;
  readonly server: PrimaryServer;
  /** The log of this process, which is its id as a member. */
  readonly logId: string;
  /** The epoch under which it holds the log. @throws while it does not hold it. */
  readonly epoch: () => Promise<number>;
}

const NOW_MS = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint";

/** A process that has lost its log to another one never takes the membership back from it. */
const JOIN = `
  INSERT INTO cluster_members AS m (id, epoch, host, version, role, started_at, applied_revision,
      control_age_ms, decisions_per_second, beat, last_seen_ms, joined_revision, joined_ms)
    SELECT $1, $2::bigint, $3, $4, $5, $6, 0, NULL::bigint, 0, 1, ${NOW_MS}, revision, ${NOW_MS}
      FROM control_head
      WHERE (SELECT count(*) FROM cluster_members WHERE id <> $1) < ${String(MAX_CLUSTER_MEMBERS)}
    ON CONFLICT (id) DO UPDATE SET epoch = excluded.epoch, host = excluded.host,
      version = excluded.version, role = excluded.role, started_at = excluded.started_at,
      applied_revision = 0, control_age_ms = NULL, decisions_per_second = 0,
      beat = m.beat + 1, last_seen_ms = excluded.last_seen_ms,
      joined_revision = excluded.joined_revision, joined_ms = excluded.joined_ms
    WHERE m.epoch <= excluded.epoch
    RETURNING beat`;

/** What a crash of the server takes back is said again with the next beat. */
const NOT_SYNCED = "set_config('synchronous_commit', 'off', true)";

/** Notes of every switch up to the revision that this process enforces it, and from when on. */
const NOTE_REACH = `
  reached AS (
    UPDATE kill_switch_gateways AS g SET acknowledged_ms = ${NOW_MS}
      FROM written WHERE g.member_id = $1 AND g.epoch = $2 AND g.revision <= $3 AND g.acknowledged_ms IS NULL
  )`;

const BEAT = {
  name: "svc-beat",
  text: `
    WITH relaxed AS MATERIALIZED (SELECT ${NOT_SYNCED} AS setting), written AS (
      UPDATE cluster_members SET epoch = $2, applied_revision = $3, control_age_ms = $4,
          decisions_per_second = $5, beat = beat + 1, last_seen_ms = ${NOW_MS}
        FROM relaxed WHERE id = $1 AND epoch <= $2 AND beat >= $6 AND relaxed.setting IS NOT NULL
        RETURNING beat
    ), ${NOTE_REACH}
    SELECT beat FROM written`,
};

const ACKNOWLEDGE = {
  name: "svc-acknowledge",
  text: `
    WITH relaxed AS MATERIALIZED (SELECT ${NOT_SYNCED} AS setting), written AS (
      UPDATE cluster_members SET applied_revision = $3
        FROM relaxed WHERE id = $1 AND epoch <= $2 AND beat >= $4 AND relaxed.setting IS NOT NULL
        RETURNING id
    ), ${NOTE_REACH}, answered AS (
      INSERT INTO cluster_answers (question_id, member_id, answer)
        SELECT a.question_id, written.id, a.answer
          FROM written, unnest($5::text[], $6::text[]) AS a (question_id, answer)
        ON CONFLICT DO NOTHING
    )
    SELECT id FROM written`,
};

const CAUGHT_UP = {
  name: "svc-caught-up",
  text: `
    SELECT m.id AS member_id, a.answer FROM cluster_members AS m
      LEFT JOIN cluster_answers AS a ON a.question_id = $2 AND a.member_id = m.id
      WHERE m.applied_revision >= $1 LIMIT ${String(MAX_CLUSTER_MEMBERS)}`,
};

/** By name: a later version of the program may add columns while this one runs. */
const MEMBER_COLUMNS = `m.id, m.epoch, m.host, m.version, m.role, m.started_at, m.applied_revision,
    m.control_age_ms, m.decisions_per_second, m.beat, m.last_seen_ms, m.joined_revision, m.joined_ms`;

/** One more than there may be, to notice that there are too many. */
const VIEW = {
  name: "svc-view",
  text: `
    SELECT ${NOW_MS} AS now_ms, h.revision AS head, ${MEMBER_COLUMNS}
      FROM control_head AS h
      LEFT JOIN (
        SELECT * FROM cluster_members ORDER BY id LIMIT ${String(MAX_CLUSTER_MEMBERS + 1)}
      ) AS m ON true
      ORDER BY m.id`,
};

/** One statement, so that all is of one moment. The first row alone has the list. */
const REACH = `
  SELECT view.*, CASE WHEN row_number() OVER (ORDER BY view.id) = 1 THEN (
      SELECT json_agg(g ORDER BY g.member_id, g.epoch) FROM kill_switch_gateways AS g
        WHERE g.org = $1 AND g.kill_switch_id = $2
    ) END AS reached
    FROM (${VIEW.text}) AS view ORDER BY view.id`;

const ANSWER = {
  name: "svc-answer",
  text: `
    INSERT INTO cluster_answers (question_id, member_id, answer) VALUES ($1, $2, $3)
      ON CONFLICT DO NOTHING`,
};

const ASK = { name: "svc-ask", text: `SELECT pg_notify('${CHANNELS.asked}', $1)` };

const ANSWERS = {
  name: "svc-answers",
  text: "SELECT member_id, answer FROM cluster_answers WHERE question_id = $1 ORDER BY member_id",
};

/** Questions wait for seconds. */
const FORGET_ANSWERS = "DELETE FROM cluster_answers WHERE answered_at < now() - interval '1 minute'";

const LEAVE = "DELETE FROM cluster_members WHERE id = $1 AND epoch <= $2";

export function createPostgresCluster({ session, server, logId, epoch }: PostgresClusterParts): Cluster {
  // A row with an earlier sign of life is that of a database that was restored from a backup.
  let lastBeat = 0;
  return {
    listen: (listener, role) => session.listen(listener, CHANNELS_OF[role]),
    join: async (facts: ProcessFacts) => {
      const { host, version, role, startedAt } = facts;
      const values = [logId, await epoch(), host, version, role, startedAt];
      const join = async (): Promise<BeatRow | undefined> =>
        (await session.query<BeatRow>({ text: JOIN }, values))[0];
      const row = (await join()) ?? (await makeRoom(session, logId).then(join));
      if (row === undefined) throw new TooManyMembersError();
      lastBeat = row.beat;
    },
    beat: async ({ applied, controlAgeMs, decisionsPerSecond }: ProcessReport) => {
      const age = controlAgeMs === null ? null : Math.ceil(controlAgeMs);
      const values = [logId, await epoch(), applied, age, decisionsPerSecond, lastBeat];
      const [row] = await session.query<BeatRow>(BEAT, values);
      lastBeat = row?.beat ?? lastBeat;
      return row !== undefined;
    },
    acknowledge: async (applied, answers) => {
      const ids = answers.map(({ questionId }) => questionId);
      const texts = answers.map(({ text }) => text);
      await session.query(ACKNOWLEDGE, [logId, await epoch(), applied, lastBeat, ids, texts]);
    },
    leave: async () => {
      await session.query({ text: LEAVE }, [logId, await epoch()]);
    },
    view: async () => viewOf(await session.query<ViewRow>(VIEW, [])),
    reach: async (org, killSwitchId) => {
      const rows = await session.query<ReachRow>({ text: REACH }, [org, killSwitchId]);
      return { ...viewOf(rows), reached: (rows[0]?.reached ?? []).map(reachedOf) };
    },
    caughtUp: async (revision, questionId) => {
      const rows = await session.query<CaughtUpRow>(CAUGHT_UP, [revision, questionId]);
      return rows.map(({ member_id: memberId, answer: text }) => ({ memberId, text }));
    },
    ask: async ({ id, text }: ClusterQuestion) => {
      const payload = `${id} ${text}`;
      if (Buffer.byteLength(payload) > MAX_PAYLOAD_BYTES) throw new RangeError("the question is too long");
      await session.query(ASK, [payload]);
    },
    answer: async (questionId, text) => {
      await session.query(ANSWER, [questionId, logId, text]);
    },
    answersTo: async (questionId) => {
      const rows = await session.query<AnswerRow>(ANSWERS, [questionId]);
      return rows.map(
        ({ member_id: memberId, answer: text }): ClusterAnswer => ({ questionId, memberId, text }),
      );
    },
    forgetAnswers: async () => {
      await session.query({ text: FORGET_ANSWERS }, []);
    },
    lead: () => new LeaderSession(server),
    ...memberSigns({ session, logId, epoch }),
    ...memberRemoval(session),
  };
}

type BeatRow = { readonly beat: number };

type AnswerRow = { readonly member_id: string; readonly answer: string };

type CaughtUpRow = { readonly member_id: string; readonly answer: string | null };

type ViewRow = {
  readonly now_ms: number;
  readonly head: number;
  /** Null: no process is a member. */
  readonly id: string | null;
  readonly epoch: number;
  readonly host: string;
  readonly version: string;
  readonly role: ProcessRole;
  readonly started_at: string;
  readonly applied_revision: number;
  readonly control_age_ms: number | null;
  readonly decisions_per_second: number;
  readonly beat: number;
  readonly last_seen_ms: number;
  readonly joined_revision: number;
  readonly joined_ms: number;
};

type ReachRow = ViewRow & {
  /** Null: no process is listed, or it is not the first row. */
  readonly reached: readonly StoredReach[] | null;
};

interface StoredReach {
  readonly member_id: string;
  readonly epoch: number;
  readonly host: string;
  readonly version: string;
  readonly role: ProcessRole;
  readonly acknowledged_ms: number | null;
}

function reachedOf({ member_id: id, acknowledged_ms: acknowledgedMs, ...row }: StoredReach): ReachedMember {
  const { epoch, host, version, role } = row;
  return { id, epoch, host, version, role, acknowledgedMs };
}

function viewOf(rows: readonly ViewRow[]): ClusterView {
  const [first] = rows;
  if (first === undefined) throw new Error("control_head: expected one row, found none");
  if (rows.length > MAX_CLUSTER_MEMBERS) throw new TooManyMembersError();
  return { nowMs: first.now_ms, head: first.head, members: rows.flatMap(memberOf) };
}

function memberOf({ id, ...row }: ViewRow): readonly ClusterMember[] {
  if (id === null) return [];
  const { host, version, role, epoch, beat } = row;
  return [
    {
      id,
      epoch,
      host,
      version,
      role,
      startedAt: row.started_at,
      applied: row.applied_revision,
      controlAgeMs: row.control_age_ms,
      decisionsPerSecond: row.decisions_per_second,
      beat,
      lastSeenMs: row.last_seen_ms,
      joinedRevision: row.joined_revision,
      joinedMs: row.joined_ms,
    },
  ];
}
