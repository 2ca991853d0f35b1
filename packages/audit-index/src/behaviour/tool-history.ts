import { type IndexDatabase, integer } from "../database/index-database.ts";
import { TOOLS } from "../database/index-tables.ts";
import { nameDigest } from "../database/name-digest.ts";
import { type CallHistory, MAX_KNOWN_TOOLS } from "./agent-behaviour.ts";
import type { ObservedCall } from "./observed-call.ts";

/**
 * What the index knows of the calls of an agent that came before this one.
 * @param seenAgain how many calls of the agent the index has that will be seen once more
 */
export async function toolHistory(
  database: IndexDatabase,
  { org, agentId, atMs }: ObservedCall,
  seenAgain: number,
): Promise<CallHistory> {
  const rows = await database.all(
    `SELECT tool, n, first_at FROM ${TOOLS.name} WHERE agent = ?1 LIMIT ${String(MAX_KNOWN_TOOLS + 1)}`,
    [nameDigest("agent", org, agentId)],
  );
  const calls = rows.reduce((sum, row) => sum + integer(row, "n"), 0) - seenAgain;
  if (rows.length > MAX_KNOWN_TOOLS) return { calls, tools: null };
  const before = rows.filter((row) => integer(row, "first_at") < atMs || seenAgain === 0);
  return { calls: Math.max(calls, 0), tools: before.map((row) => integer(row, "tool")) };
}
