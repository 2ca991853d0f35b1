import { hash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { ExecuteRequest } from "@svc/contract/execute-request";
import { IDEMPOTENCY_KEY_EXPECTATION, isIdempotencyKey } from "@svc/contract/idempotency-key";
import { MAX_REQUESTS_IN_FLIGHT } from "@svc/contract/limits";
import type { OutcomeReport } from "@svc/contract/outcome";
import { parseExecuteRequest } from "@svc/contract/parse-execute-request";
import { parseOutcomeReport } from "@svc/contract/parse-outcome-report";
import type { Principal } from "@svc/contract/principal";
import { type Problem, problem } from "@svc/contract/problem";
import type { Verdict } from "@svc/contract/verdict";
import type { Gateway } from "@svc/gateway/gateway";
import type { OutcomeResult } from "@svc/gateway/outcome";
import type { GatewayLog } from "@svc/gateway/ports";
import { newRequestId, sendJson, sendProblem } from "@svc/http-edge/send-json";
import { singleHeader } from "@svc/http-edge/single-header";
import type { Authenticate } from "./authentication.ts";
import type { NoteRefusal } from "./refusal-log.ts";
import { parseJsonInput, readJsonInput, readRawBody } from "./request-input.ts";
import { refuseLongRow } from "./row-limit.ts";
import { refusedMethod } from "./unmatched-route.ts";
import { inTime } from "./within-deadline.ts";

export interface GatewayEndpointsParts {
  readonly gateway: Gateway;
  readonly authenticate: Authenticate;
  readonly log: GatewayLog;
  readonly noteRefusal: NoteRefusal;
  /** Fewer than MAX_REQUESTS_IN_FLIGHT, for tests. */
  readonly maxInFlight?: number;
}

/** Seconds after which a client that was turned away may come back. */
const RETRY_AFTER_S = "1";

/**
 * `POST gateway/execute` and `POST gateway/outcome`, straight on Node's request and response: the path of
 * every tool call carries no framework.
 */
export class GatewayEndpoints {
  readonly #parts: GatewayEndpointsParts;
  readonly #maxInFlight: number;
  #inFlight = 0;

  constructor(parts: GatewayEndpointsParts) {
    this.#parts = parts;
    this.#maxInFlight = parts.maxInFlight ?? MAX_REQUESTS_IN_FLIGHT;
  }

  async execute(request: IncomingMessage, response: ServerResponse): Promise<void> {
    await this.#admit(request, response, (principal) => this.#executed(request, principal));
  }

  async outcome(request: IncomingMessage, response: ServerResponse): Promise<void> {
    await this.#admit(request, response, async (principal) => {
      const report = await readJsonInput(request, parseOutcomeReport);
      if (report.kind === "problem") return report.problem;
      return this.#recorded(principal, report.value);
    });
  }

  /** Method, credentials and room first; then the work. Every way ends in exactly one answer. */
  async #admit(
    request: IncomingMessage,
    response: ServerResponse,
    work: (principal: Principal) => Promise<Verdict | Problem | Recorded>,
  ): Promise<void> {
    if (request.method !== "POST") return sendRefusedMethod(response);
    if (this.#inFlight >= this.#maxInFlight) {
      const overloaded = problem("overloaded", `${String(this.#maxInFlight)} requests are in flight`);
      return sendProblem(response, overloaded, { "retry-after": RETRY_AFTER_S });
    }
    const authentication = this.#parts.authenticate(request);
    if (authentication.kind === "problem") {
      const { code, detail } = authentication;
      const requestId = newRequestId();
      this.#parts.noteRefusal({ code, requestId, request });
      return sendProblem(response, problem(code, detail, { request_id: requestId }));
    }
    this.#inFlight += 1;
    try {
      const answer = await work(authentication.principal);
      if ("code" in answer) sendProblem(response, answer);
      else sendJson(response, 200, answer);
    } finally {
      this.#inFlight -= 1;
    }
  }

  async #recorded(principal: Principal, report: OutcomeReport): Promise<Problem | Recorded> {
    try {
      return outcomeAnswer(await inTime(this.#parts.gateway.reportOutcome(principal, report)));
    } catch (error) {
      const request_id = newRequestId();
      this.#parts.log.error({ err: error, request_id }, "an outcome was not recorded");
      return problem("unavailable", "the outcome is not recorded as far as is known; repeating it is safe", {
        request_id,
      });
    }
  }

  async #executed(request: IncomingMessage, principal: Principal): Promise<Verdict | Problem> {
    const raw = await readRawBody(request, ["application/json"]);
    if (raw.kind === "problem") return raw.problem;
    const { bytes } = raw.value;
    const input = parseJsonInput<ExecuteRequest>(bytes, parseExecuteRequest);
    if (input.kind === "problem") return input.problem;
    const tooLong = refuseLongRow(input.value.args, bytes.byteLength);
    if (tooLong !== null) return tooLong;
    const key = singleHeader(request, "idempotency-key");
    switch (key.kind) {
      case "absent":
        return this.#parts.gateway.execute(principal, input.value);
      case "repeated":
        return problem("invalid_header", "expected one Idempotency-Key, found several");
      case "value":
        return this.#executedOnce(principal, input.value, { key: key.value, bytes });
    }
  }

  async #executedOnce(
    principal: Principal,
    request: ExecuteRequest,
    { key, bytes }: { readonly key: string; readonly bytes: Buffer },
  ): Promise<Verdict | Problem> {
    if (!isIdempotencyKey(key))
      return problem("invalid_header", `Idempotency-Key: expected ${IDEMPOTENCY_KEY_EXPECTATION}`);
    const call = { idempotencyKey: key, bodyDigest: hash("sha256", bytes) };
    const verdict = await this.#parts.gateway.executeOnce(principal, request, call);
    return verdict ?? problem("idempotency_conflict", `Idempotency-Key ${key} came with another body before`);
  }
}

function sendRefusedMethod(response: ServerResponse): void {
  const { problem: refusal, headers } = refusedMethod(["POST"]);
  sendProblem(response, refusal, headers);
}

interface Recorded {
  readonly recorded: true;
}

function outcomeAnswer(result: OutcomeResult): Problem | Recorded {
  switch (result.kind) {
    case "recorded":
    case "repeated":
      return { recorded: true };
    case "conflict":
      return problem("conflict", "another outcome was reported for this decision before");
    case "not_found":
      return problem("not_found", "this organization has no such decision");
    case "not_allowed":
      return problem("conflict", "this decision was not an allow, so there is no outcome to report");
  }
}
