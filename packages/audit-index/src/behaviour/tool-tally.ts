import { getOrAdd } from "@svc/process/get-or-add";
import type { Value } from "../database/index-database.ts";
import { nameDigest } from "../database/name-digest.ts";
import type { ObservedCall } from "./observed-call.ts";

type Row = [agent: number, tool: number, calls: number, firstAt: number];

/** Counts which agents of a batch called which tools, for the table of tools. */
export class ToolTally {
  /** By the digest of the agent, then by that of the tool. */
  readonly #rows = new Map<number, Map<number, Row>>();

  add({ org, agentId, tool, atMs }: ObservedCall): void {
    const agentDigest = nameDigest("agent", org, agentId);
    const toolDigest = nameDigest("tool", org, tool);
    const ofAgent = getOrAdd(this.#rows, agentDigest, () => new Map<number, Row>());
    const row = ofAgent.get(toolDigest);
    if (row === undefined) {
      ofAgent.set(toolDigest, [agentDigest, toolDigest, 1, atMs]);
      return;
    }
    row[2] += 1;
    row[3] = Math.min(row[3], atMs);
  }

  rows(): readonly (readonly Value[])[] {
    return [...this.#rows.values()].flatMap((ofAgent) => [...ofAgent.values()]);
  }
}
