import { agentActivityRoutes } from "@svc/api/agent-activity-routes";
import type { JsonAnswerOf } from "@svc/api/route";
import { MAX_BUSY_AGENTS } from "@svc/contract/agent-activity";
import type { ControlClient } from "../connection/control-client.ts";
import { counted } from "../frame/counted.ts";
import { CommandFailure } from "../frame/exit-code.ts";

/** What agents did in the last five minutes. */
export interface BusyColumns {
  /** Null: it did not call. `not known`: nobody could say. */
  of(agentId: string): BusyAgent | null | "not known";
  cells(agentId: string): readonly string[];
  sentence(agentId: string): string;
  /** Why something is not known. */
  readonly warning: string | null;
}

export const BUSY_HEADINGS = ["CALLS/MIN", "PEAK/MIN", "DENIED", "PAUSED", "COST USD", "SESSIONS"] as const;
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

type BusyAgents = JsonAnswerOf<typeof agentActivityRoutes.listBusyAgents>["body"];
type Times = Pick<BusyAgents, "since" | "until" | "before" | "known_since">;
type BusyAgent = BusyAgents["agents"][number];

/** What an agent did in a time, with the change against the hour before, as cells. */
export function busyCells(agent: BusyAgent, times: Times): readonly string[] {
  const { before } = agent;
  const changed = changesIn(times);
  return [
    changed(agent.calls_per_minute.toFixed(1), agent.calls, before.calls),
    String(agent.busiest_minute),
    changed(String(agent.deny), agent.deny, before.deny),
    changed(String(agent.pause), agent.pause, before.pause),
    changed(agent.cost_usd, Number(agent.cost_usd), Number(before.cost_usd)),
    comparedMs(times) > 0
      ? `${countText(agent.sessions)} (${countText(before.sessions)})`
      : countText(agent.sessions),
  ];
}

/** The same in words: counts of one time, and then how fast they came. */
export function busySentence(agent: BusyAgent, times: Times): string {
  const { before } = agent;
  const changed = changesIn(times);
  const span = lengthText(Date.parse(times.until) - Date.parse(times.since));
  return [
    `${changed(counted(agent.calls, "call"), agent.calls, before.calls)}, ` +
      `${changed(String(agent.deny), agent.deny, before.deny)} denied, ` +
      `${changed(String(agent.pause), agent.pause, before.pause)} paused in ${span}`,
    `${agent.calls_per_minute.toFixed(1)} calls a minute, ${String(agent.busiest_minute)} in the busiest one`,
    `${changed(agent.cost_usd, Number(agent.cost_usd), Number(before.cost_usd))} USD, ` +
      `${countText(agent.sessions)} sessions`,
  ].join("; ");
}

/** What the changes in brackets compare with. */
export function comparedText(times: Times): string {
  const ms = comparedMs(times);
  if (ms <= 0) return "no call from before is known, so nothing is compared";
  return ms < HOUR_MS ? `compared with the ${lengthText(ms)} before: no earlier call is known` : "";
}

const HOUR_MS = 3_600_000;

/** How much of the hour before is known. */
function comparedMs({ since, before, known_since: known }: Times): number {
  return known === null ? 0 : Date.parse(since) - Math.max(Date.parse(before), Date.parse(known));
}

function changesIn(times: Times) {
  const minutes = (Date.parse(times.until) - Date.parse(times.since)) / 60_000;
  const earlierMinutes = comparedMs(times) / 60_000;
  return (text: string, now: number, earlier: number): string =>
    earlierMinutes > 0 ? `${text}${changeText(now / minutes, earlier / earlierMinutes)}` : text;
}

/** A length to the second: `5 min 7 s`. */
export function lengthText(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60];
  return [minutes > 0 ? `${String(minutes)} min` : "", rest > 0 ? `${String(rest)} s` : ""]
    .filter((part) => part !== "")
    .join(" ");
}

/** From this ratio on a change is shown as a factor. */
const MIN_FACTOR = 2;

/** How a rate compares with an earlier one: ` (12x)`, ` (+40%)`, ` (new)`. Empty: as before. */
export function changeText(now: number, before: number): string {
  if (before === 0) return now === 0 ? "" : " (new)";
  const ratio = now / before;
  if (ratio >= MIN_FACTOR) return ` (${ratio.toFixed(ratio < 10 ? 1 : 0)}x)`;
  const percent = Math.round((ratio - 1) * 100);
  return percent === 0 ? "" : ` (${percent > 0 ? "+" : ""}${String(percent)}%)`;
}

function countText(sessions: number | null): string {
  return sessions === null ? "many" : String(sessions);
}
