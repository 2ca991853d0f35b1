import type { ReplayOrder } from "@svc/policy-analysis/replay-exchange";
import { parseJson } from "@svc/text/parse-json";

/** What a replay is about, beside what its record says. */
export type StoredReplayWork = Pick<ReplayOrder, "work" | "logs">;

/** The text that the store keeps while the replay is active. */
export function renderReplayWork({ work, logs }: StoredReplayWork): string {
  return JSON.stringify({ work, logs });
}

/** @param text of `renderReplayWork` */
export function parseReplayWork(text: string): StoredReplayWork {
  const { work, logs } = parseJson(text) as StoredReplayWork;
  return { work, logs };
}
