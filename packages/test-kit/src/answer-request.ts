import { invalidProblem, malformedProblem } from "@svc/contract/body-problem";
import { IDEMPOTENCY_KEY_EXPECTATION, isIdempotencyKey } from "@svc/contract/idempotency-key";
import { MAX_ROW_ARGS_BYTES } from "@svc/contract/limits";
import type { OutcomeReport } from "@svc/contract/outcome";
import type { OutcomeStatus } from "@svc/contract/outcome-status";
import { parseExecuteRequest } from "@svc/contract/parse-execute-request";
import { type Problem, problem } from "@svc/contract/problem";
import type { Verdict } from "@svc/contract/verdict";
import { canonicalJson } from "@svc/text/canonical-json";
import { digestOfText } from "@svc/text/digest-of";
import { isJsonObject, type JsonObject, type JsonValue } from "@svc/text/json-value";
import { MAX_BODY_BYTES } from "@svc/text/limits";
import { parseStrictJsonText } from "@svc/text/strict-json-text";
import { parseUsd, USD_EXPECTATION } from "@svc/text/usd";
import { utf8Length } from "@svc/text/utf8";
import type { TestGateway } from "./test-gateway.ts";

/** A request as a client would send it. */
export interface KitRequest {
  /** From the root of the gateway. */
  readonly path: string;
  readonly body: string;
  readonly idempotencyKey: string | null;
}

/** The answer as it would arrive. */
export interface KitAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

const HEARTBEAT = /^\/api\/v1\/agents\/[^/]+\/heartbeat$/;

/** Seconds between heartbeats that the service asks for by default. */
const HEARTBEAT_INTERVAL_S = 15;

/** Answers a request as the service does, for what the client libraries send. Rejects for no request. */
export async function answerRequest(gateway: TestGateway, request: KitRequest): Promise<KitAnswer> {
  switch (request.path) {
    case "/api/v1/gateway/execute":
      return rendered(await executed(gateway, request));
    case "/api/v1/gateway/outcome":
      return rendered(await reported(gateway, request.body));
    default:
      return HEARTBEAT.test(request.path)
        ? rendered({ interval_seconds: HEARTBEAT_INTERVAL_S })
        : rendered(problem("not_found", `a test gateway has no ${request.path}`));
  }
}

type Answer = Verdict | Problem | Readonly<Record<string, JsonValue>>;

function rendered(answer: Answer): KitAnswer {
  const isProblem = "code" in answer && "status" in answer;
  return {
    status: isProblem ? Number(answer.status) : 200,
    contentType: isProblem ? "application/problem+json" : "application/json",
    body: JSON.stringify(answer),
  };
}

async function executed(gateway: TestGateway, { body, idempotencyKey }: KitRequest): Promise<Answer> {
  const json = readBody(body);
  if ("refused" in json) return json.refused;
  const parsed = parseExecuteRequest(json.value);
  if (!parsed.ok) return invalidProblem(parsed.errors);
  const length = utf8Length(canonicalJson(parsed.value.args));
  if (length > MAX_ROW_ARGS_BYTES)
    return problem("body_too_large", `expected arguments of at most ${String(MAX_ROW_ARGS_BYTES)} bytes`);
  if (idempotencyKey !== null && !isIdempotencyKey(idempotencyKey))
    return problem("invalid_header", `Idempotency-Key: expected ${IDEMPOTENCY_KEY_EXPECTATION}`);
  const key = idempotencyKey === null ? null : { idempotencyKey, bodyDigest: digestOfText(body) };
  const verdict = await gateway.execute(parsed.value, key);
  return (
    verdict ?? problem("idempotency_conflict", "this Idempotency-Key was used with a different body before")
  );
}

async function reported(gateway: TestGateway, body: string): Promise<Answer> {
  const json = readBody(body);
  if ("refused" in json) return json.refused;
  const report = isJsonObject(json.value) ? readReport(json.value) : null;
  if (report === null) return problem("invalid_request", `expected an outcome: ${OUTCOME_EXPECTATION}`);
  const result = await gateway.report(report);
  switch (result.kind) {
    case "recorded":
    case "repeated":
      return { recorded: true };
    case "not_found":
      return problem("not_found", "no decision of this key has this decision_id");
    case "conflict":
    case "not_allowed":
    case "ran_unallowed":
      return problem("conflict", `the outcome was not recorded: ${result.kind}`);
  }
}

function readBody(body: string): { readonly value: JsonValue } | { readonly refused: Problem } {
  if (utf8Length(body) > MAX_BODY_BYTES)
    return { refused: problem("body_too_large", `expected at most ${String(MAX_BODY_BYTES)} bytes`) };
  const json = parseStrictJsonText(body);
  return json.ok ? { value: json.value } : { refused: malformedProblem(json.fault) };
}

const STATUSES = [
  "succeeded",
  "failed",
  "not_executed",
  "revoked",
] as const satisfies readonly OutcomeStatus[];

const OUTCOME_EXPECTATION = `decision_id, status of ${STATUSES.join(", ")}, cost_usd of ${USD_EXPECTATION}`;

/** The reader of the service needs a library that takes longer to load than everything else here. */
function readReport({ decision_id, status, cost_usd, duration_ms }: JsonObject): OutcomeReport | null {
  const known = STATUSES.find((one) => one === status);
  const cost = cost_usd === undefined ? null : parseUsd(cost_usd);
  const duration = duration_ms ?? null;
  if (typeof decision_id !== "string" || known === undefined) return null;
  if ((cost_usd !== undefined && cost === null) || (duration !== null && typeof duration !== "number"))
    return null;
  return { decision_id, status: known, cost_micro_usd: cost, duration_ms: duration };
}
