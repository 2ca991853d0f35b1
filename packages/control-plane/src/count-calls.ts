import type { AuditIndex } from "@svc/audit-index/audit-index";
import type { CallCounter } from "./ports.ts";

/** Counts calls by the audit index. `allowed` answers null when some rows cannot be counted, never less. */
export function countCalls(index: Pick<AuditIndex, "allowedCalls" | "callers">): CallCounter {
  return {
    allowed: async (query) => {
      const { allowed, withoutOutcome, complete, behind } = await index.allowedCalls(query);
      return complete && behind.length === 0 ? { allowed, withoutOutcome } : null;
    },
    callers: async (query) => {
      const { callers: found, complete, behind } = await index.callers(query);
      const agents = [...new Set(found.map(({ agentId }) => agentId))].toSorted();
      const sessions = [...new Set(found.flatMap(({ sessionId }) => sessionId ?? []))].toSorted();
      return { agents, sessions, complete: complete && behind.length === 0 };
    },
  };
}
