import type { AgentSessionPageAnswer } from "@svc/contract/agent";
import type { Principal } from "@svc/contract/principal";
import { refuseBinding } from "@svc/contract/refuse-binding";
import type { PageRequest } from "@svc/store/ports/page";
import { NOT_ANSWERED } from "../audit/audit-query-ports.ts";
import { viewIndexed } from "../audit/audit-view.ts";
import { entryCursor, parseEntryCursor } from "../audit/entry-cursor.ts";
import { callStore } from "../call-store.ts";
import { type Outcome, refuseCursor } from "../refusal.ts";
import type { AgentPorts } from "./agent-ports.ts";
import { getAgent } from "./get-agent.ts";

/** Sessions of an agent by the rows of the audit log, the latest first. */
export async function listAgentSessions(
  ports: Pick<AgentPorts, "log" | "agents" | "auditIndex">,
  principal: Principal,
  { id, page: { limit, after } }: { readonly id: string; readonly page: PageRequest },
): Promise<Outcome<AgentSessionPageAnswer>> {
  const before = after === null ? null : parseEntryCursor(after);
  if (after !== null && before === null) return refuseCursor(after);
  const agent = await getAgent(ports, principal, id);
  if (agent.kind === "problem") return agent;
  const outside = refuseBinding(principal, { agent_id: id, namespace: agent.value.namespace });
  if (outside !== null) return { kind: "problem", problem: outside };
  const query = { org: principal.org, agentId: id, limit, before };
  const found = await callStore(ports, NOT_ANSWERED, () => ports.auditIndex.agentSessions(query));
  if (found.kind === "problem") return found;
  const { sessions, next, complete, behind } = found.value;
  const page = {
    sessions: sessions.map(({ sessionId, rows, firstAt, lastAt }) => ({
      session_id: sessionId,
      rows,
      first_at: new Date(firstAt).toISOString(),
      last_at: new Date(lastAt).toISOString(),
    })),
    next_cursor: next === null ? null : entryCursor(next),
    counted_all: complete,
    indexed: viewIndexed(behind),
  };
  return { kind: "ok", value: page };
}
