import type { SessionsFound } from "./audit-answers.ts";
import { type AgentSessionsQuery, readAgentSessions } from "./read-agents.ts";
import { readFacts, withDecision } from "./read-facts.ts";
import type { RowSources } from "./row-sources.ts";

/** The sessions of an agent. Their names come from the rows themselves. */
export async function answerAgentSessions(
  { database, audit, positionAt }: RowSources,
  query: AgentSessionsQuery,
): Promise<Omit<SessionsFound, "behind">> {
  const { org, agentId, limit } = query;
  const read = await readAgentSessions(database, { ...query, limit: limit + 1 });
  const shown = read.sessions.slice(0, limit);
  const sessions = await Promise.all(
    shown.map(async ({ place, ...counted }) => {
      const stored = await audit.row(positionAt(place));
      const facts = stored === null ? null : readFacts(stored.bytes);
      const about = facts === null || facts.about === null ? null : await audit.row(facts.about);
      const decision = about === null ? null : readFacts(about.bytes);
      const whole = facts === null ? null : withDecision(facts, decision);
      const isOwn = whole?.org === org && whole.agent === agentId && whole.session !== null;
      return isOwn ? { sessionId: whole.session, ...counted } : null;
    }),
  );
  const last = shown.at(-1);
  const isMore = read.sessions.length > limit && last !== undefined;
  return {
    sessions: sessions.filter((session) => session !== null),
    next: isMore ? { at: last.lastAt, place: last.place } : null,
    complete: read.complete,
  };
}
