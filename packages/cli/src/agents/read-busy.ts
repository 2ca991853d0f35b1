import { agentActivityRoutes } from "@svc/api/agent-activity-routes";
import { MAX_BUSY_AGENTS } from "@svc/contract/agent-activity";
import type { ControlClient } from "../connection/control-client.ts";
import { CommandFailure } from "../frame/exit-code.ts";
import { BUSY_HEADINGS, type BusyAgent, busyCells, busySentence } from "./busy-text.ts";

/** What agents did in the last five minutes. */
export interface BusyColumns {
  /** Null: it did not call. `not known`: nobody could say. */
  of(agentId: string): BusyAgent | null | "not known";
  cells(agentId: string): readonly string[];
  sentence(agentId: string): string;
  /** Why something is not known. */
  readonly warning: string | null;
}

const NOTHING = BUSY_HEADINGS.map(() => "0");
const UNKNOWN = BUSY_HEADINGS.map(() => "?");

/** Reads it at once for all agents. A key that may not read the audit log gets the list without it. */
export async function readBusyColumns(client: ControlClient): Promise<BusyColumns> {
  try {
    const query = { limit: String(MAX_BUSY_AGENTS) };
    const { body } = await client.ask(agentActivityRoutes.listBusyAgents, { query });
    const busy = new Map(body.agents.map((agent) => [agent.agent_id, agent]));
    const isAll = body.callers <= body.agents.length && body.counted_all;
    const of = (id: string) => busy.get(id) ?? (isAll ? null : "not known");
    return {
      of,
      cells: (id) => {
        const agent = of(id);
        if (agent === "not known") return UNKNOWN;
        return agent === null ? NOTHING : busyCells(agent, body);
      },
      sentence: (id) => {
        const agent = of(id);
        if (agent === "not known") return "not known: it is not among the busiest agents";
        return agent === null ? "no calls" : busySentence(agent, body);
      },
      warning: isAll ? null : `only the ${String(busy.size)} busiest agents have figures`,
    };
  } catch (fault) {
    if (!(fault instanceof CommandFailure)) throw fault;
    const warning = `calls, denies and cost are not known: ${fault.message}`;
    return {
      of: () => "not known",
      cells: () => UNKNOWN,
      sentence: () => `not known: ${warning}`,
      warning,
    };
  }
}
