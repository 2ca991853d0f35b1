import { setTimeout as delay } from "node:timers/promises";
import { replayRoutes } from "@svc/api/replay-routes";
import type { ReplayRecord, ReplayResult } from "@svc/contract/replay";
import type { ControlClient } from "../connection/control-client.ts";
import { CommandFailure } from "../frame/exit-code.ts";
import type { Output } from "../frame/output.ts";
import { sinceOfLast } from "./since-of-last.ts";

/** Recorded calls that were decided again by a candidate and by the version that runs. */
export interface DecisionDiff {
  /** The version that the candidate is compared with, whatever was recorded. */
  readonly compared_with_version: number;
  /** Null: nothing was recorded under the policy, so nothing was replayed. */
  readonly replay_id: string | null;
  /** The time of the first decision. */
  readonly since: string | null;
  readonly decisions: number;
  readonly changed: number;
  /** Decisions about which nothing can be said: their rows mask what the candidate reads. */
  readonly undecided: number;
  readonly result: ReplayResult | null;
}

export interface DecisionQuestion {
  readonly policyId: string;
  /** The version that runs. What decided the calls then may have been another one. */
  readonly running: number;
  /** The text of the candidate. JSON is YAML, too. */
  readonly source: string;
  /** How many of the last recorded decisions, about. */
  readonly count: number;
  readonly signal: AbortSignal;
}

/** Milliseconds between two looks at a replay. */
const PAUSE_MS = 100;

/**
 * Decides the calls of the last recorded decisions of a policy again, by the candidate and by what runs.
 * @throws CommandFailure
 */
export async function diffDecisions(
  client: Pick<ControlClient, "ask">,
  question: DecisionQuestion,
  output: Pick<Output, "progress">,
): Promise<DecisionDiff> {
  const { policyId, running, source, count } = question;
  const compared_with_version = running;
  const since = await sinceOfLast(client, policyId, count);
  const nothing = { replay_id: null, decisions: 0, changed: 0, undecided: 0, result: null };
  if (since === null) return { compared_with_version, since, ...nothing };
  const params = { policy_id: policyId };
  const body = { document: source, base_version: running, since };
  const started = await client.ask(replayRoutes.startReplay, { params, body });
  const { id, result } = await ended(client, started.body, question.signal, output);
  if (result === null) throw new Error("a completed replay has a result");
  const changed =
    result.newly_denied +
    result.newly_allowed +
    result.newly_paused +
    result.newly_rewritten +
    result.rewritten_otherwise;
  const undecided = result.undecided.masked + result.undecided.session;
  return { compared_with_version, replay_id: id, since, decisions: result.calls, changed, undecided, result };
}

/** The share of decisions that change or may change, in percent. */
export function changedPercent({ decisions, changed, undecided }: DecisionDiff): number {
  return decisions === 0 ? 0 : ((changed + undecided) / decisions) * 100;
}

async function ended(
  client: Pick<ControlClient, "ask">,
  started: ReplayRecord,
  signal: AbortSignal,
  output: Pick<Output, "progress">,
): Promise<ReplayRecord> {
  const params = { replay_id: started.id };
  for (let replay = started; ; replay = (await client.ask(replayRoutes.getReplay, { params })).body) {
    const { status, reason, progress } = replay;
    if (status === "completed") return replay;
    if (status === "failed" || status === "cancelled")
      throw new CommandFailure(
        "unreachable",
        `the recorded decisions were not decided again: ${reason ?? status}`,
      );
    if (signal.aborted) {
      await client.ask(replayRoutes.endReplay, { params });
      throw new CommandFailure("interrupted", "interrupted: nothing was changed");
    }
    output.progress(`replay: ${String(progress.rows_read)} of ${String(progress.rows_total)} rows read`);
    await delay(PAUSE_MS, undefined, { signal }).catch(() => undefined);
  }
}
