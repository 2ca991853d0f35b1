import type { agentActivityRoutes } from "@svc/api/agent-activity-routes";
import type { JsonAnswerOf } from "@svc/api/route";

type BusyAgents = JsonAnswerOf<typeof agentActivityRoutes.listBusyAgents>["body"];
export type BusyAgent = BusyAgents["agents"][number];

/** What an agent did in a time, with the change against the hour before, as cells. */
export function busyCells(agent: BusyAgent, { since, until }: Pick<BusyAgents, "since" | "until">) {
  const minutes = (Date.parse(until) - Date.parse(since)) / 60_000;
  const { before } = agent;
  const changed = (text: string, now: number, earlier: number): string =>
    `${text}${changeText(now / minutes, earlier / 60)}`;
  return [
    changed(agent.calls_per_minute.toFixed(1), agent.calls, before.calls),
    changed(String(agent.deny), agent.deny, before.deny),
    changed(String(agent.pause), agent.pause, before.pause),
    changed(agent.cost_usd, Number(agent.cost_usd), Number(before.cost_usd)),
    `${countText(agent.sessions)} (${countText(before.sessions)})`,
  ];
}

/** The same in words. */
export function busySentence(cells: readonly string[]): string {
  const [calls = "", denied = "", paused = "", cost = "", sessions = ""] = cells;
  return `${calls} calls a minute, ${denied} denied, ${paused} paused, ${cost} USD, ${sessions} sessions`;
}

export const BUSY_HEADINGS = ["CALLS/MIN", "DENIED", "PAUSED", "COST USD", "SESSIONS"] as const;

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
