import type { Wording } from "./wording.ts";

/**
 * Registered agents. `tags` has a comma before and after each, `folded` is what searches look at. No table
 * refers to this one: calls, assignments and switches may name an agent that nobody registered.
 */
export function agentTables({ text, integer }: Wording): readonly string[] {
  return [
    `CREATE TABLE agents (
      org ${text} NOT NULL,
      id ${text} NOT NULL,
      namespace ${text} NOT NULL,
      parent_agent_id ${text},
      tags ${text} NOT NULL,
      folded ${text} NOT NULL,
      version ${integer} NOT NULL,
      record ${text} NOT NULL,
      PRIMARY KEY (org, id)
    )`,
    "CREATE INDEX agents_namespace ON agents (org, namespace, id)",
    "CREATE INDEX agents_parent ON agents (org, parent_agent_id, id) WHERE parent_agent_id IS NOT NULL",
  ];
}

/** `tags` has a comma before and after each. `folded` is searched. `record` is JSON. */
export interface AgentsTable {
  org: string;
  id: string;
  namespace: string;
  parent_agent_id: string | null;
  tags: string;
  folded: string;
  version: number;
  record: string;
}
