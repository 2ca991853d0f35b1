import { MAX_PARENTS } from "@svc/contract/supervised-limits";
import { type RawBuilder, sql } from "kysely";
import type { ReceivedHeartbeat, SupervisedSession } from "../ports/supervision-store.ts";
import type { Dialect, TransactionContext } from "./store-context.ts";
import type { SupervisedSessionsTable } from "./supervision-tables.ts";

/** A session, and the parent that it names. */
type Member = Pick<SupervisedSession, "org" | "agentId" | "sessionId" | "parentSessionId" | "parentAgentId">;

/** A parent as a heartbeat names it. */
interface NamedParent {
  readonly org: string;
  readonly sessionId: string;
  /** Null: it may belong to any agent of the organization. */
  readonly agentId: string | null;
}

/**
 * The lines of parents above the heartbeats of one write. Read once, with one question for each generation,
 * because nobody else can store a heartbeat meanwhile.
 */
export class ParentLines {
  /** By session id, then by agent. */
  readonly #members = new Map<string, Map<string, Member>>();

  static async read(inside: TransactionContext, beats: readonly ReceivedHeartbeat[]): Promise<ParentLines> {
    const lines = new ParentLines();
    const asked = new Set<string>();
    let next = beats.flatMap(parentOf);
    for (let generation = 0; generation < MAX_PARENTS && next.length > 0; generation += 1) {
      const found = await readNamed(inside, next);
      for (const parent of next) asked.add(textOf(parent));
      for (const member of found) lines.note(member);
      next = found.flatMap(parentOf).filter((parent) => !asked.has(textOf(parent)));
    }
    return lines;
  }

  /** Takes in a session as it is now. */
  note(member: Member): void {
    const id = idOf(member);
    const agents = this.#members.get(id);
    if (agents === undefined) this.#members.set(id, new Map([[member.agentId, member]]));
    else agents.set(member.agentId, member);
  }

  /** Whether the line of parents would come back to the session, or be too long. */
  faultOf(beat: ReceivedHeartbeat): "circular" | "too_long" | null {
    let [parent] = parentOf(beat);
    for (let parents = 0; parent !== undefined; parents += 1) {
      if (parents === MAX_PARENTS) return "too_long";
      const isOwn = parent.agentId === null || parent.agentId === beat.agentId;
      if (isOwn && parent.sessionId === beat.sessionId) return "circular";
      const member = this.#find(parent);
      [parent] = member === null ? [] : parentOf(member);
    }
    return null;
  }

  /** If several agents share the id, and none is named, it is the session of the first of them. */
  #find(parent: NamedParent): Member | null {
    const agents = this.#members.get(idOf(parent));
    const agentId = parent.agentId ?? [...(agents?.keys() ?? [])].toSorted()[0];
    return agentId === undefined ? null : (agents?.get(agentId) ?? null);
  }
}

function parentOf({
  org,
  parentSessionId: sessionId,
  parentAgentId: agentId,
}: Pick<Member, "org" | "parentSessionId" | "parentAgentId">): readonly NamedParent[] {
  return sessionId === null ? [] : [{ org, sessionId, agentId }];
}

/** No name holds a line break. */
function idOf({ org, sessionId }: Pick<Member, "org" | "sessionId">): string {
  return `${org}\n${sessionId}`;
}

function textOf({ org, sessionId, agentId }: NamedParent): string {
  return `${org}\n${sessionId}\n${agentId ?? ""}`;
}

type Row = Pick<
  SupervisedSessionsTable,
  "org" | "agent_id" | "session_id" | "parent_session_id" | "parent_agent_id"
>;

async function readNamed(
  { trx, dialect }: TransactionContext,
  parents: readonly NamedParent[],
): Promise<readonly Member[]> {
  const asked = JSON.stringify(parents.map(({ org, sessionId, agentId }) => [org, sessionId, agentId]));
  const { rows } = await sql<Row>`
    SELECT DISTINCT s.org, s.agent_id, s.session_id, s.parent_session_id, s.parent_agent_id
      FROM ${parentsIn(dialect, asked)} JOIN supervised_sessions AS s
        ON s.org = j.org AND s.session_id = j.session_id AND s.agent_id = coalesce(j.agent_id, (
          SELECT min(f.agent_id) FROM supervised_sessions AS f
            WHERE f.org = j.org AND f.session_id = j.session_id))`.execute(trx);
  return rows.map((row) => ({
    org: row.org,
    agentId: row.agent_id,
    sessionId: row.session_id,
    parentSessionId: row.parent_session_id,
    parentAgentId: row.parent_agent_id,
  }));
}

function parentsIn(dialect: Dialect, asked: string): RawBuilder<unknown> {
  return dialect === "sqlite"
    ? sql`(SELECT value ->> 0 AS org, value ->> 1 AS session_id, value ->> 2 AS agent_id
        FROM json_each(${asked})) AS j`
    : sql`(SELECT (value ->> 0) COLLATE "C" AS org, (value ->> 1) COLLATE "C" AS session_id,
        (value ->> 2) COLLATE "C" AS agent_id FROM jsonb_array_elements(${asked}::jsonb) AS value) AS j`;
}
