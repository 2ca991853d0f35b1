import type { Value } from "../index-database.ts";
import { nameDigest } from "../name-digest.ts";
import type { ObservedCall } from "./observed-call.ts";

/** Counts which agents of a batch called which tools, for the table of tools. */
export class ToolTally {
  readonly #rows = new Map<string, [agent: number, tool: number, calls: number, firstAt: number]>();

  add({ org, agentId, tool, atMs }: ObservedCall): void {
    const agentDigest = nameDigest("agent", org, agentId);
    const toolDigest = nameDigest("tool", org, tool);
    const key = `${String(agentDigest)} ${String(toolDigest)}`;
    const row = this.#rows.get(key);
    if (row === undefined) {
      this.#rows.set(key, [agentDigest, toolDigest, 1, atMs]);
      return;
    }
    row[2] += 1;
    row[3] = Math.min(row[3], atMs);
  }

  rows(): readonly (readonly Value[])[] {
    return [...this.#rows.values()];
  }
}
