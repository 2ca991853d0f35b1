import type { Decide } from "@svc/contract/decide";
import type { ExecuteRequest } from "@svc/contract/execute-request";
import type { Verdict } from "@svc/contract/verdict";
import type { Identity } from "@svc/tool-calls/identity";
import type { DistinctHeaders } from "../../governance-headers.ts";
import type { DialectName } from "../dialect-name.ts";
import { judgeGuardrail } from "../judge-guardrail.ts";
import { isPass } from "./is-pass.ts";

/** The result of one request. */
export interface Judged {
  /** Whether the dialect's own caller would let the message pass. */
  readonly passes: boolean;
  readonly answer: Record<string, unknown>;
  readonly asked: readonly ExecuteRequest[];
  /** Decisions whose charge was given back. */
  readonly givenBack: readonly string[];
}

export interface JudgeJsonOptions {
  readonly decide?: Decide | Verdict;
  readonly headers?: DistinctHeaders;
  readonly fixed?: Identity;
  readonly signal?: AbortSignal;
}

export const ALLOWED: Verdict = { decision: "allow", decision_id: "g.1", args_constrained: false };

export const DENIED: Verdict = {
  decision: "deny",
  decision_id: "g.2",
  reason: "Not this one.",
  reason_code: "rule",
  rule_id: "no-refunds",
  args_constrained: false,
  fail_closed: false,
};

export const PAUSED: Verdict = {
  decision: "pause",
  decision_id: "g.3",
  reason: "A person decides.",
  reason_code: "approval_required",
  approval_url: "http://gateway.example/approvals/g.3",
  args_constrained: false,
};

/** Milliseconds that the texts of blocks name. No timer uses them here. */
export const BUDGET_MS = 2_000;

/** Agent that the tests' hooks name in their headers. */
const HEADERS: DistinctHeaders = { "x-svc-agent-id": ["agent-1"] };

const NOBODY: Identity = { agentId: null, namespace: null };

/** Judges a body with a gateway that answers what the test says. A text goes in as it is. */
export async function judgeJson(
  dialect: DialectName,
  body: unknown,
  options: JudgeJsonOptions = {},
): Promise<Judged> {
  const { decide = ALLOWED, headers = HEADERS, fixed = NOBODY } = options;
  const { signal = new AbortController().signal } = options;
  const asked: ExecuteRequest[] = [];
  const givenBack: string[] = [];
  const bytes = Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
  const { body: text } = await judgeGuardrail(
    { dialect, headers, body: bytes },
    {
      fixed,
      decide: (call, how) => {
        asked.push(call);
        return typeof decide === "function" ? decide(call, how) : Promise.resolve(decide);
      },
      reportNotExecuted: (decisionId) => givenBack.push(decisionId),
      signal,
      budgetMs: BUDGET_MS,
    },
  );
  return {
    passes: isPass(dialect, text),
    answer: JSON.parse(text) as Record<string, unknown>,
    asked,
    givenBack,
  };
}

/** A gateway that answers by the tool that is asked about, and allows every other. */
export function byTool(verdicts: Readonly<Record<string, Verdict>>): Decide {
  return ({ tool }) => Promise.resolve(verdicts[tool] ?? ALLOWED);
}

/** A gateway whose policy rewrites the arguments of one tool. */
export function rewriting(
  tool: string,
  rewrite: (args: ExecuteRequest["args"]) => ExecuteRequest["args"],
): Decide {
  return (call) =>
    Promise.resolve(
      call.tool === tool
        ? { decision: "allow", decision_id: "g.4", args_constrained: true, shaped_args: rewrite(call.args) }
        : ALLOWED,
    );
}

/** A policy that masks a word in every text of the arguments, as a detector does. */
export function masking(word: string): (args: ExecuteRequest["args"]) => ExecuteRequest["args"] {
  return (args) => JSON.parse(JSON.stringify(args).replaceAll(word, "[masked]")) as ExecuteRequest["args"];
}
