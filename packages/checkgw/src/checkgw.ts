import type { IncomingMessage, ServerResponse } from "node:http";
import type { Decide } from "@svc/contract/decide";
import { type Problem, problem } from "@svc/contract/problem";
import { failClosedDeny, type Verdict } from "@svc/contract/verdict";
import { inTrace, namedTrace } from "@svc/tool-calls/in-trace";
import type { Result } from "@svc/tool-calls/result";
import { withSessionHint } from "@svc/tool-calls/session-hint";
import { ANSWER_MARGIN_MS, type CheckgwSettings } from "./checkgw-settings.ts";
import type { ForwardedBody } from "./forwarded-body.ts";
import type { DialectName } from "./guardrail/dialect-name.ts";
import type { Guardrail } from "./guardrail/guardrail.ts";
import { judgeRequest } from "./judge-request.ts";
import type { KeyedCall } from "./keyed-call.ts";
import { createMeter } from "./meter.ts";
import { parseCheck } from "./parse-check.ts";
import { parseVerdictRequest } from "./parse-verdict-request.ts";
import { nameOf, type Place, placeOf } from "./place.ts";
import { type RequestRefusal, refusalOf } from "./refusal-of.ts";
import { renderCheck } from "./render-check.ts";
import type { CheckgwReporter } from "./reporter.ts";
import { withinBudget } from "./within-budget.ts";
import { type Answer, writeAnswer } from "./write-answer.ts";

export interface CheckgwOptions {
  readonly settings: CheckgwSettings;
  readonly decide: Decide;
  /** Answers webhooks with its own connection to the gateway and its own budget. */
  readonly guardrail: Guardrail;
  readonly reporter: CheckgwReporter;
  readonly monotonicMs: () => number;
}

/**
 * Answers one request; never throws, and answers 2xx only for an allow, a verdict in JSON mode, a webhook, or
 * its own health.
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
        options.reporter.defect(error, "an answer could not be made");
        writeAnswer(request, response, LAST_RESORT);
      })
      .catch(() => response.destroy());
  };
}

/**
 * The answer after a defect in the rendering of an answer. Its text is fixed, so it can always be written.
 */
const LAST_RESORT: Answer = { status: 403, headers: { "cache-control": "no-store" }, body: "deny\n" };

const JSON_ANSWER = { "content-type": "application/json", "cache-control": "no-store" };

async function route(request: IncomingMessage, options: CheckgwOptions): Promise<Answer> {
  const place = placeOf(request.url ?? "");
  const refusal = refusalOf(request, place, options.settings.allowedHosts);
  if (refusal !== null) {
    options.reporter.refused(nameOf(place), refusal.cause, refusal.reason);
    return answerRefusal(request, { place, refusal, options });
  }
  switch (place.kind) {
    case "check":
      return answerCheck(request, options);
    case "verdict":
      return answerVerdict(request, options);
    case "guardrail":
      return answerGuardrail(request, place.dialect, options);
    case "healthz":
      options.reporter.healthy();
      return { status: 200, headers: JSON_ANSWER, body: '{"status":"ok"}' };
    case "unmatched":
      return answerProblem(problem("not_found", "no such path"));
  }
}

interface Refused {
  readonly place: Place;
  readonly refusal: RequestRefusal;
  readonly options: CheckgwOptions;
}

async function answerRefusal(
  request: IncomingMessage,
  { place, refusal, options }: Refused,
): Promise<Answer> {
  const { code, reason } = refusal;
  if (place.kind === "check") {
    const body = chooseBodyForm(request.headers.accept);
    return renderCheck(failClosedDeny("request_malformed", reason), { body, strictShaping: false });
  }
  // The caller of a webhook takes an error for a pass, so even a refused request must be answered
  // with a block.
  if (place.kind === "guardrail" && request.method === "POST") {
    const { body } = await options.guardrail(request, place.dialect, reason);
    return { status: 200, headers: JSON_ANSWER, body };
  }
  const allow = place.kind === "healthz" ? "GET, HEAD" : "POST";
  return answerProblem(problem(code, reason), refusal.cause === "method" ? { allow } : {});
}

async function answerCheck(request: IncomingMessage, options: CheckgwOptions): Promise<Answer> {
  const { identity, strictShaping } = options.settings;
  const { method = "", url = "", headersDistinct } = request;
  const proxied = { method, target: url, headers: headersDistinct };
  const parse = (body: ForwardedBody | null): Result<KeyedCall> => parseCheck(proxied, body, identity);
  const answered = await judgeInTime(request, options, { place: "check", parse });
  const verdict = withSessionHint(answered, "the header X-Svc-Session-Id");
  const body = chooseBodyForm(request.headers.accept);
  return renderCheck(verdict, { body, strictShaping });
}

/**
 * Chooses the form of a body by the Accept header: plain text only for a caller that asks for it and not for
 * JSON. The header decides nothing else, because most proxies pass it on from the client.
 */
function chooseBodyForm(accept: string | undefined): "json" | "text" {
  const wanted = (accept ?? "").toLowerCase();
  return wanted.includes("text/plain") && !wanted.includes("json") ? "text" : "json";
}

async function answerVerdict(request: IncomingMessage, options: CheckgwOptions): Promise<Answer> {
  const { identity } = options.settings;
  const { headersDistinct } = request;
  const parse = (body: ForwardedBody | null): Result<KeyedCall> =>
    parseVerdictRequest(headersDistinct, body, identity);
  const answered = await judgeInTime(request, options, { place: "verdict", parse });
  const verdict = withSessionHint(answered, "session_id in the body");
  const headers = { ...JSON_ANSWER, "x-svc-decision": verdict.decision };
  return { status: 200, headers, body: JSON.stringify(verdict) };
}

async function answerGuardrail(
  request: IncomingMessage,
  dialect: DialectName,
  { guardrail, reporter, monotonicMs }: CheckgwOptions,
): Promise<Answer> {
  const arrivedMs = monotonicMs();
  const { body, report } = await guardrail(request, dialect);
  reporter.judgedMessage(report, { ...report.spent, elapsedMs: monotonicMs() - arrivedMs });
  return { status: 200, headers: JSON_ANSWER, body };
}

interface Judging {
  readonly place: "check" | "verdict";
  readonly parse: (body: ForwardedBody | null) => Result<KeyedCall>;
}

async function judgeInTime(
  request: IncomingMessage,
  { settings, decide, reporter, monotonicMs }: CheckgwOptions,
  { place, parse }: Judging,
): Promise<Verdict> {
  const arrivedMs = monotonicMs();
  const meter = createMeter(decide, monotonicMs);
  const trace = namedTrace(request.headersDistinct["traceparent"]);
  const verdict = await withinBudget<Verdict>(
    settings.decisionTimeoutMs + ANSWER_MARGIN_MS,
    (signal) => judgeRequest(request, { parse, decide: inTrace(meter.decide, trace), signal }),
    {
      deny: (deny) => deny,
      onDefect: (error) => reporter.defect(error, "a request could not be judged"),
    },
  );
  reporter.judged(place, verdict, { ...meter.spent(), elapsedMs: monotonicMs() - arrivedMs });
  return verdict;
}

function answerProblem(document: Problem, headers: Record<string, string> = {}): Answer {
  const common = { "content-type": "application/problem+json", "cache-control": "no-store" };
  return { status: document.status, headers: { ...common, ...headers }, body: JSON.stringify(document) };
}
