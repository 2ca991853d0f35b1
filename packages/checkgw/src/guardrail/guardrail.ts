import type { IncomingMessage } from "node:http";
import { failClosedDeny, type ReasonCode } from "@svc/contract/verdict";
import { bodyMediaType } from "@svc/http-edge/media-type";
import { withinBudget } from "../answer-budget.ts";
import type { DialectName } from "./dialect-name.ts";
import type { GuardrailThread } from "./guardrail-thread.ts";
import { blockAnswer, type GuardrailAnswer } from "./judge-guardrail.ts";
import { MAX_GUARDRAIL_BYTES, MAX_PENDING } from "./limits.ts";
import { readToEnd } from "./read-to-end.ts";

export interface GuardrailOptions {
  readonly thread: Pick<GuardrailThread, "judge">;
  /** Milliseconds from a request's arrival to its answer. */
  readonly budgetMs: number;
  readonly monotonicMs: () => number;
  readonly onDefect: (error: unknown) => void;
}

/**
 * Answers one webhook request in its dialect. Never rejects, and answers within the budget whatever happens
 * to the body, the gateway or the thread that judges: nothing here depends on what the body says.
 */
export type Guardrail = (request: IncomingMessage, dialect: DialectName) => Promise<GuardrailAnswer>;

export function createGuardrail(options: GuardrailOptions): Guardrail {
  const { budgetMs, monotonicMs, onDefect } = options;
  let pending = 0;
  return (request, dialect) => {
    const deny = (code: ReasonCode, reason: string): GuardrailAnswer =>
      blockAnswer(dialect, { verdict: failClosedDeny(code, reason), tool: null, enforced: true });
    const arrivedMs = monotonicMs();
    const isFull = pending >= MAX_PENDING;
    const work = async (): Promise<GuardrailAnswer> => {
      const body = await readToEnd(request, isFull ? 0 : MAX_GUARDRAIL_BYTES);
      if (isFull) return deny("decision_timeout", `More than ${MAX_PENDING} requests are being judged.`);
      if (body.kind === "too_large")
        return deny("request_malformed", `body: expected at most ${MAX_GUARDRAIL_BYTES} bytes.`);
      if (body.kind === "aborted") return deny("request_malformed", "body: expected a whole one.");
      const mediaType = bodyMediaType(request, ["application/json"]);
      if (mediaType.kind === "problem")
        return deny("request_malformed", `body: ${mediaType.problem.detail}.`);
      const remainingMs = budgetMs - (monotonicMs() - arrivedMs);
      const job = { dialect, headers: request.headersDistinct, body: body.bytes };
      return options.thread.judge(job, remainingMs);
    };
    if (!isFull) pending += 1;
    const counted = (): Promise<GuardrailAnswer> =>
      work().finally(() => {
        if (!isFull) pending -= 1;
      });
    return withinBudget(budgetMs, counted, {
      deny: (verdict) => blockAnswer(dialect, { verdict, tool: null, enforced: true }),
      onDefect,
    });
  };
}
