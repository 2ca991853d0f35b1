import { DEFAULT_DECISION_TIMEOUT_MS } from "@svc/contract/limits";
import type { Observation } from "../observation.ts";
import type { Check } from "./check.ts";
import { rounded } from "./rounded.ts";

/** Every call gets an answer before adapters stop waiting for it. */
export function judgeAnswers(subject: string, observations: readonly Observation[]): Check {
  const longest = Math.max(...observations.map(({ sentAtMs, endedAtMs }) => endedAtMs - sentAtMs));
  const unanswered = observations.filter(({ outcome }) => outcome === "unanswered");
  const base = { id: "answers_in_time", subject, gateway: null };
  const limit = { limit_ms: DEFAULT_DECISION_TIMEOUT_MS };
  if (observations.length === 0)
    return { ...base, verdict: "not_measured", figures: { longest_ms: null, ...limit }, detail: "no call" };
  const longestMs = rounded(longest);
  const figures = {
    calls: observations.length,
    unanswered: unanswered.length,
    longest_ms: longestMs,
    ...limit,
  };
  const isInTime = unanswered.length === 0 && longest <= DEFAULT_DECISION_TIMEOUT_MS;
  const detail = `the slowest answer took ${longestMs} ms, and ${unanswered.length} are missing`;
  return { ...base, verdict: isInTime ? "passed" : "failed", figures, detail };
}
