import { sql } from "kysely";
import type { Page, PageRequest } from "../ports/page.ts";
import type { SupervisedSession } from "../ports/supervision-store.ts";
import { cutPage, textStart } from "./page-start.ts";
import type { StoreContext } from "./store-context.ts";
import { nameKey, sessionOf } from "./supervised-session.ts";

/** Every session that a supervisor has to know, by name. */
export async function listWatched(
  { db }: StoreContext,
  page: PageRequest,
): Promise<Page<SupervisedSession> | "bad_cursor"> {
  const start = textStart("watched-session", page);
  if (start === "bad_cursor") return "bad_cursor";
  let query = db
    .selectFrom("supervised_sessions")
    .selectAll()
    .where((eb) =>
      eb.or([eb("ended_at_ms", "is", null), eb("severity", "<>", "INFO"), eb("contained", "<>", "none")]),
    )
    .orderBy("org")
    .orderBy("agent_id")
    .orderBy("session_id")
    .limit(page.limit + 1);
  if (start.kind === "after") {
    const [org, agent, session, ...rest] = start.key.split("\n");
    if (org === undefined || agent === undefined || session === undefined || rest.length > 0)
      return "bad_cursor";
    query = query.where((eb) =>
      eb(eb.refTuple("org", "agent_id", "session_id"), ">", eb.tuple(org, agent, session)),
    );
  }
  const sessions = (await query.execute()).map(sessionOf);
  return cutPage(sessions, page.limit, { kind: "watched-session", key: nameKey, item: (each) => each });
}

/** Rank in the list of an agent: 0 for a session that ended at INFO, else one more than its severity. */
const RANK = sql<number>`CASE WHEN ended_at_ms IS NOT NULL AND severity = 'INFO' THEN 0
  ELSE severity_rank + 1 END`;

/** What a cursor holds: rank, last heartbeat and name of the last session on the page. */
const CURSOR = /^(?<rank>[0-4])\.(?<time>[0-9]{1,16})\.(?<id>.{1,256})$/u;

/** The sessions of an agent: the worst severity first, then the latest heartbeat, ended ones last. */
export async function listSessions(
  { db }: StoreContext,
  { org, agentId, page }: { readonly org: string; readonly agentId: string; readonly page: PageRequest },
): Promise<Page<SupervisedSession> | "bad_cursor"> {
  const start = textStart("supervised-session", page);
  if (start === "bad_cursor") return "bad_cursor";
  let query = db
    .selectFrom("supervised_sessions")
    .selectAll()
    .select(RANK.as("list_rank"))
    .where("org", "=", org)
    .where("agent_id", "=", agentId)
    .orderBy("list_rank", "desc")
    .orderBy("last_heartbeat_ms", "desc")
    .orderBy("session_id", "desc")
    .limit(page.limit + 1);
  if (start.kind === "after") {
    const { rank, time, id } = CURSOR.exec(start.key)?.groups ?? {};
    if (rank === undefined || time === undefined || id === undefined) return "bad_cursor";
    query = query.where(
      sql<boolean>`(${RANK}, last_heartbeat_ms, session_id) < (${Number(rank)}, ${Number(time)}, ${id})`,
    );
  }
  return cutPage(await query.execute(), page.limit, {
    kind: "supervised-session",
    key: ({ list_rank: rank, last_heartbeat_ms: time, session_id: id }) =>
      `${String(rank)}.${String(time)}.${id}`,
    item: sessionOf,
  });
}
