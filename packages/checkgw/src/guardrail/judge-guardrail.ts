import type { Decide } from "@svc/contract/decide";
import { type Decision, failClosedDeny, type ReasonCode } from "@svc/contract/verdict";
import { isJsonObject } from "@svc/text/json-value";
import { parseStrictJson } from "@svc/text/strict-json";
import type { Identity } from "@svc/tool-calls/identity";
import { inTrace, namedTrace } from "@svc/tool-calls/in-trace";
import { malformed } from "@svc/tool-calls/result";
import { withSessionHint } from "@svc/tool-calls/session-hint";
import type { DistinctHeaders } from "../governance-headers.ts";
import { createMeter, NOTHING_SPENT, type Spent } from "../meter.ts";
import { denyLate } from "../within-budget.ts";
import { askQuestions, tellableTool } from "./ask-questions.ts";
import { type DialectName, SESSION_HINTS } from "./dialect-name.ts";
import { dialects } from "./dialects.ts";
import type { Block } from "./guardrail-request.ts";
import { MAX_GUARDRAIL_BYTES } from "./limits.ts";
import { refusedRewrite } from "./refused-rewrite.ts";

/** The parts of a webhook request that its judgement needs. */
export interface GuardrailJob {
  readonly dialect: DialectName;
  readonly headers: DistinctHeaders;
  readonly body: Uint8Array;
}

export interface JudgeDeps {
  readonly fixed: Identity;
  readonly decide: Decide;
  /** Returns the charge of an allowed question. Never throws, and nobody waits for it. */
  readonly reportNotExecuted: (decisionId: string) => void;
  /** Ends the wait. A message without a decision by then is blocked. */
  readonly signal: AbortSignal;
  /** Milliseconds from the arrival of a request to its answer, for the reason of a late deny. */
  readonly budgetMs: number;
}

/** The answer in its dialect, and what the log may say about it. */
export interface GuardrailAnswer {
  readonly body: string;
  readonly report: GuardrailReport;
}

/** Holds no text of a message, no argument and no tool name, because they belong to the caller. */
export interface GuardrailReport {
  readonly dialect: DialectName;
  readonly decision: Decision;
  readonly reason_code?: ReasonCode | undefined;
  readonly decision_id?: string | undefined;
  readonly enforced: boolean;
  /** Whether it is a deny because no verdict could be obtained. */
  readonly failClosed: boolean;
  readonly spent: Spent;
}

/** Judges one request. Never rejects. A message passes only when every question about it was allowed. */
export async function judgeGuardrail(job: GuardrailJob, deps: JudgeDeps): Promise<GuardrailAnswer> {
  const meter = createMeter(deps.decide, () => performance.now());
  const { body, report } = await judgeSafely(job, { ...deps, decide: meter.decide });
  return { body, report: { ...report, spent: meter.spent() } };
}

async function judgeSafely(job: GuardrailJob, deps: JudgeDeps): Promise<GuardrailAnswer> {
  try {
    return await judgeJob(job, deps);
  } catch {
    return blockAnswer(job.dialect, INTERNAL_ERROR);
  }
}

const INTERNAL_ERROR: Block = {
  verdict: failClosedDeny("internal_error", "The adapter failed before a verdict was obtained."),
  tool: null,
  enforced: true,
};

async function judgeJob(job: GuardrailJob, deps: JudgeDeps): Promise<GuardrailAnswer> {
  const { fixed, signal, budgetMs } = deps;
  const { dialect, headers } = job;
  const decide = inTrace(deps.decide, namedTrace(headers["traceparent"]));
  const refuse = (verdict: Block["verdict"]): GuardrailAnswer =>
    blockAnswer(dialect, { verdict, tool: null, enforced: true });
  const document = parseStrictJson(job.body, MAX_GUARDRAIL_BYTES);
  if (!document.ok)
    return refuse(malformed("body", `strict JSON: ${document.fault.expected}`, document.fault.found).deny);
  if (!isJsonObject(document.value)) return refuse(malformed("body", "an object", "another value").deny);
  const request = dialects[dialect].parse(document.value, { headers, fixed });
  if (!request.ok) return refuse(request.deny);
  const { enforced, pass } = request.value;
  const late = denyLate(budgetMs);
  const outcome = await askQuestions(request.value, { decide, signal });
  const holdBack = (verdict: Block["verdict"], tool: string | null): GuardrailAnswer => {
    // None of its calls runs, unless the caller has already passed the message on.
    if (enforced) for (const { decisionId } of outcome.allowed) deps.reportNotExecuted(decisionId);
    return blockAnswer(dialect, { verdict, tool, enforced });
  };
  if (outcome.kind === "blocked") {
    // The same event as below, noticed during a question.
    const isLate = signal.aborted && outcome.verdict.reason_code === late.reason_code;
    return holdBack(isLate ? late : withSessionHint(outcome.verdict, SESSION_HINTS[dialect]), outcome.tool);
  }
  if (signal.aborted) return holdBack(late, null);
  const answer = pass(outcome.allowed);
  if (!answer.ok) {
    const refused = refusedRewrite(request.value, outcome.allowed);
    if (refused === null) return holdBack(answer.deny, null);
    return holdBack({ ...answer.deny, decision_id: refused.decisionId }, tellableTool(refused.tool));
  }
  const decision_id = outcome.allowed.at(-1)?.decisionId;
  const passed = { dialect, decision: "allow", decision_id, enforced } as const;
  const report: GuardrailReport = { ...passed, failClosed: false, spent: NOTHING_SPENT };
  return { body: JSON.stringify(answer.value), report };
}

/** The answer that blocks, in a dialect. */
export function blockAnswer(dialect: DialectName, why: Block): GuardrailAnswer {
  const { enforced, verdict } = why;
  const { decision, reason_code, decision_id } = verdict;
  const failClosed = verdict.decision === "deny" && verdict.fail_closed;
  return {
    body: JSON.stringify(dialects[dialect].block(why)),
    report: { dialect, decision, reason_code, decision_id, enforced, failClosed, spent: NOTHING_SPENT },
  };
}
