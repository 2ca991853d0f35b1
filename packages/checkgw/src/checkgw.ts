import type { IncomingMessage, ServerResponse } from "node:http";
import { type ProblemCode, problem } from "@svc/contract/problem";
import type { Verdict } from "@svc/contract/verdict";
import type { Decide } from "@svc/decision-client/decision-client";
import type { Read } from "@svc/decision-client/refusal";
import { withSessionHint } from "@svc/decision-client/session-hint";
import { withinBudget } from "./answer-budget.ts";
import { looksLikeAuthHook } from "./auth-hook-signs.ts";
import { chooseBodyForm } from "./body-form.ts";
import { ANSWER_MARGIN_MS, type CheckgwSettings } from "./checkgw-settings.ts";
import type { ForwardedBody } from "./forwarded-body.ts";
import { type DialectName, dialectOf } from "./guardrail/dialect-name.ts";
import type { Guardrail } from "./guardrail/guardrail.ts";
import { judge } from "./judge.ts";
import { parseCheck } from "./parse-check.ts";
import { parseVerdictRequest } from "./parse-verdict-request.ts";
import type { Question } from "./question.ts";
import { renderCheck } from "./render-check.ts";
import { type Answer, writeAnswer } from "./write-answer.ts";

export interface CheckgwLogger {
  debug(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface CheckgwOptions {
  readonly settings: CheckgwSettings;
  readonly decide: Decide;
  /** Has its own way to the gateway and its own budget. */
  readonly guardrail: Guardrail;
  readonly logger: CheckgwLogger;
}

/**
 * Answers one request; never throws, and answers 2xx only for an allow, a verdict in JSON mode, or its own
 * health.
 */
export type CheckgwHandler = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * The forward-auth adapter as a request handler:
 * any method on /check and below answers 200 for an allow and 403 for everything else; POST /verdict answers
 * 200 with the verdict; POST on the path of a guardrail dialect answers 200 in that dialect; GET /healthz
 * answers 200; all else is a 404, so that a hook pointed at a wrong path denies.
 */
export function createCheckgw(options: CheckgwOptions): CheckgwHandler {
  return (request, response) => {
    route(request, options)
      .then((answer) => writeAnswer(request, response, answer))
      .catch((error: unknown) => {
        options.logger.error({ err: error }, "an answer could not be made");
        writeAnswer(request, response, LAST_RESORT);
      })
      .catch(() => response.destroy());
  };
}

/** What a defect of ours in making an answer leaves: fixed text that nothing can make unwritable. */
const LAST_RESORT: Answer = { status: 403, headers: { "cache-control": "no-store" }, body: "deny\n" };

async function route(request: IncomingMessage, options: CheckgwOptions): Promise<Answer> {
  const { url = "" } = request;
  const [path = ""] = url.split("?", 1);
  if (path === "/check" || path.startsWith("/check/")) return answerCheck(request, options);
  if (path === "/verdict") return answerVerdict(request, options);
  const dialect = dialectOf(path);
  if (dialect !== null) return answerGuardrail(request, dialect, options);
  // The whole target, not its path: a proxy that appends the client's query must not be able to end up here.
  if (url === "/healthz") return answerHealth(request);
  return answerProblem("not_found", "This adapter serves /check, /verdict, /guardrail and /healthz.");
}

async function answerCheck(request: IncomingMessage, options: CheckgwOptions): Promise<Answer> {
  const { identity, strictShaping } = options.settings;
  const { method = "", url = "", headersDistinct } = request;
  const proxied = { method, target: url, headers: headersDistinct };
  const answered = await judgeInTime(request, options, (body) => parseCheck(proxied, body, identity));
  const verdict = withSessionHint(answered, "the header X-Svc-Session-Id");
  const body = chooseBodyForm(request.headers.accept);
  return renderCheck(verdict, { body, strictShaping });
}

async function answerVerdict(request: IncomingMessage, options: CheckgwOptions): Promise<Answer> {
  const { identity } = options.settings;
  if (request.method !== "POST")
    return answerProblem("method_not_allowed", "Ask with POST.", { allow: "POST" });
  if (looksLikeAuthHook(request.headers)) {
    return answerProblem("forbidden", "An auth hook must ask /check: this path answers 200 to a deny.");
  }
  const { headersDistinct } = request;
  const answered = await judgeInTime(request, options, (body) =>
    parseVerdictRequest(headersDistinct, body, identity),
  );
  const verdict = withSessionHint(answered, "session_id in the body");
  const headers = { "content-type": "application/json", "cache-control": "no-store" };
  return {
    status: 200,
    headers: { ...headers, "x-svc-decision": verdict.decision },
    body: JSON.stringify(verdict),
  };
}

/** A webhook posts; whatever else comes here is an auth hook at a wrong path, which must not see a 200. */
async function answerGuardrail(
  request: IncomingMessage,
  dialect: DialectName,
  { guardrail, logger }: CheckgwOptions,
): Promise<Answer> {
  if (request.method !== "POST")
    return answerProblem("method_not_allowed", "Ask with POST.", { allow: "POST" });
  const { body, report } = await guardrail(request, dialect);
  if (report.enforced) logger.debug(report, "answered");
  else logger.warn(report, "a streamed answer was judged after it was handed on");
  const headers = { "content-type": "application/json", "cache-control": "no-store" };
  return { status: 200, headers, body };
}

async function judgeInTime(
  request: IncomingMessage,
  { settings, decide, logger }: CheckgwOptions,
  parse: (body: ForwardedBody | null) => Read<Question>,
): Promise<Verdict> {
  const verdict = await withinBudget<Verdict>(
    settings.decisionTimeoutMs + ANSWER_MARGIN_MS,
    (signal) => judge(request, { parse, decide, signal }),
    {
      deny: (deny) => deny,
      onDefect: (error) => logger.error({ err: error }, "a request could not be judged"),
    },
  );
  // Neither target nor headers: they hold the arguments of the call.
  const reasonCode = verdict.decision === "allow" ? undefined : verdict.reason_code;
  logger.debug(
    { decision: verdict.decision, reason_code: reasonCode, decision_id: verdict.decision_id },
    "answered",
  );
  return verdict;
}

function answerHealth({ method }: IncomingMessage): Answer {
  if (method !== "GET" && method !== "HEAD") {
    return answerProblem("method_not_allowed", "Ask with GET.", { allow: "GET, HEAD" });
  }
  const headers = { "content-type": "application/json", "cache-control": "no-store" };
  return { status: 200, headers, body: '{"status":"ok"}' };
}

function answerProblem(code: ProblemCode, detail: string, headers: Record<string, string> = {}): Answer {
  const document = problem(code, detail);
  const common = { "content-type": "application/problem+json", "cache-control": "no-store" };
  return { status: document.status, headers: { ...common, ...headers }, body: JSON.stringify(document) };
}
