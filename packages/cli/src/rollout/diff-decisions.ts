import { setTimeout as delay } from "node:timers/promises";
import { auditQueryRoutes } from "@svc/api/audit-query-routes";
import { replayRoutes } from "@svc/api/replay-routes";
import { MAX_PAGE_SIZE } from "@svc/contract/limits";
import type { ReplayGroup, ReplayRecord, ReplayResult } from "@svc/contract/replay";
import { type ControlClient, everyPage } from "../connection/control-client.ts";
import { RequestFailure } from "../connection/request-failure.ts";
import { CommandFailure } from "../frame/exit-code.ts";
import type { Output } from "../frame/output.ts";
import type { Piece } from "../frame/text.ts";

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

interface DecisionQuestion {
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

type Client = Pick<ControlClient, "ask">;

/**
 * The time since which a policy has made this many decisions; null when it has made none. A key that may not
 * read the audit log gets a time out of REPORTED_HOURS, since which there are at least as many.
 */
export async function sinceOfLast(client: Client, policyId: string, count: number): Promise<string | null> {
  try {
    return await sinceByRows(client, policyId, count);
  } catch (error) {
    if (error instanceof RequestFailure && error.code === "forbidden")
      return sinceByReports(client, policyId, count);
    throw error;
  }
}

async function sinceByRows(client: Client, policyId: string, count: number): Promise<string | null> {
  const query = { kind: "decision", policy_id: policyId, limit: String(Math.min(count, MAX_PAGE_SIZE)) };
  const pages = everyPage((cursor) =>
    client.ask(auditQueryRoutes.listAuditRows, { query: { ...query, cursor } }),
  );
  let found = 0;
  let since: string | null = null;
  for await (const { rows } of pages) {
    const wanted = rows.slice(0, count - found);
    found += wanted.length;
    since = wanted.at(-1)?.time ?? since;
    if (found >= count) break;
  }
  return since;
}

/** From a quarter of an hour to the longest report. */
const REPORTED_HOURS = [0.25, 1, 6, 24, 7 * 24, 30 * 24, 92 * 24] as const;

async function sinceByReports(client: Client, policyId: string, count: number): Promise<string | null> {
  const params = { policy_id: policyId };
  const nowMs = Date.now();
  let since: string | null = null;
  for (const hours of REPORTED_HOURS) {
    // A report covers whole minutes, so that the longest one begins a little later.
    const from = new Date(nowMs - hours * 3_600_000 + 120_000).toISOString();
    const { body } = await client.ask(auditQueryRoutes.getPolicyReport, { params, query: { since: from } });
    if (body.decisions > 0) since = body.since;
    if (body.decisions >= count) break;
  }
  return since;
}

/** Most groups that are shown, as count. */
const SHOWN_GROUPS = 10;

/** What the candidate would decide otherwise than what runs, by rule, with an example of each. */
export function decisionText(diff: DecisionDiff): Piece[] {
  const { since, result, compared_with_version: running } = diff;
  if (since === null || result === null) return ["decisions no decision was recorded under this policy\n"];
  const lines = [...groupLines(result), ...besideLines(result)];
  return [
    "decisions ",
    { text: countText(diff), as: diff.changed + diff.undecided === 0 ? "good" : "warning" },
    `, since ${since}\n`,
    `          compared with what version ${String(running)}, which runs, decides about these calls now\n`,
    ...lines.map((line) => `          ${line}\n`),
  ];
}

function countText(diff: DecisionDiff): string {
  const { decisions, changed, undecided } = diff;
  const counted = `${String(changed + undecided)} of ${String(decisions)}`;
  const share = percentText(changedPercent(diff));
  if (undecided === 0) return `${counted} would change (${share})`;
  const why = `${String(undecided)} cannot be decided again, because their rows mask values`;
  return `${counted} would or may change (${share}): ${why}`;
}

function groupLines({ groups, groups_left_out: leftOut }: ReplayResult): string[] {
  const shown = groups.slice(0, SHOWN_GROUPS);
  const hidden = groups.length - shown.length + leftOut;
  return [...shown.map(groupText), ...(hidden === 0 ? [] : ["and others, which -o json lists"])];
}

function groupText({ change, tool, rule_id: rule, was_rule_id: was, count, examples }: ReplayGroup): string {
  const by = rule === null ? "by no rule" : `by the rule ${rule}`;
  const before = was === null ? "" : `, before by ${was}`;
  const example = examples[0] ?? "none";
  return `${String(count)} ${change.replaceAll("_", " ")} ${by}${before}: ${tool}, such as ${example}`;
}

function besideLines({ would_be: { deny, pause }, rows_removed: removed }: ReplayResult): string[] {
  const enforced = `under enforcement ${String(deny)} would be denied and ${String(pause)} paused`;
  return [
    ...(deny + pause === 0 ? [] : [enforced]),
    ...(removed === 0
      ? []
      : [`${String(removed)} rows of that time are removed, and were not decided again`]),
  ];
}

/** With two digits that count, so that a small share is not shown as none. */
export function percentText(percent: number): string {
  return `${String(Number(percent.toPrecision(2)))}%`;
}
