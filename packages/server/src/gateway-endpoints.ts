import type { IncomingMessage, ServerResponse } from "node:http";
import { faultFields } from "@svc/contract/fault-fields";
import { MAX_BODY_BYTES, MAX_REQUESTS_IN_FLIGHT } from "@svc/contract/limits";
import type { OutcomeReport } from "@svc/contract/outcome";
import { parseOutcomeReport } from "@svc/contract/parse-outcome-report";
import type { Principal } from "@svc/contract/principal";
import { type Problem, problem } from "@svc/contract/problem";
import type { Verdict } from "@svc/contract/verdict";
import type { OutcomeResult } from "@svc/gateway/outcome";
import { announcedBytes } from "@svc/http-edge/announced-bytes";
import { BodyDiscard } from "@svc/http-edge/discard-body";
import { LazyRequestId } from "@svc/http-edge/request-id";
import { sendJson, sendProblem } from "@svc/http-edge/send-json";
import type { Logger } from "@svc/process/logger";
import { sizeOf } from "./admission/call-size.ts";
import { MAX_OUTCOME_BYTES, UNKNOWN_BODY_BYTES } from "./admission/limits.ts";
import type { Authenticate } from "./authentication.ts";
import { type DecideParts, decideCall } from "./decide-call.ts";
import type { NoteRefusal } from "./refusal-log.ts";
import { readJsonInput } from "./request-input.ts";
import { refusedMethod } from "./unmatched-route.ts";
import { inTime } from "./within-deadline.ts";

export interface GatewayEndpointsParts extends DecideParts {
  readonly authenticate: Authenticate;
  readonly log: Logger;
  readonly noteRefusal: NoteRefusal;
  /** Fewer than MAX_REQUESTS_IN_FLIGHT, for tests. */
  readonly maxInFlight?: number;
}

/** Seconds after which a refused client may try again. */
const RETRY_AFTER_S = "1";

/** Null: the caller has gone, so there is no answer. */
type Answer = Verdict | Problem | Recorded | null;

/**
 * `POST gateway/execute` and `POST gateway/outcome`, directly on Node's request and response. No framework is
 * on the path of a tool call.
 */
export class GatewayEndpoints {
  readonly #parts: GatewayEndpointsParts;
  readonly #maxInFlight: number;
  readonly #discard = new BodyDiscard();
  #inFlight = 0;

  constructor(parts: GatewayEndpointsParts) {
    this.#parts = parts;
    this.#maxInFlight = parts.maxInFlight ?? MAX_REQUESTS_IN_FLIGHT;
  }

  async execute(request: IncomingMessage, response: ServerResponse): Promise<void> {
    await this.#admit(request, response, (principal, requestId) =>
      decideCall(this.#parts, { principal, request, response, requestId }),
    );
  }

  async outcome(request: IncomingMessage, response: ServerResponse): Promise<void> {
    await this.#admit(request, response, async (principal, requestId) => {
      const report = await readJsonInput(request, parseOutcomeReport, MAX_OUTCOME_BYTES);
      if (report.kind === "problem") return report.problem;
      return this.#recorded(principal, report.value, requestId);
    });
  }

  /** Checks method, capacity and credentials before it does the work. Sends at most one answer. */
  async #admit(
    request: IncomingMessage,
    response: ServerResponse,
    work: (principal: Principal, requestId: LazyRequestId) => Promise<Answer>,
  ): Promise<void> {
    if (request.method !== "POST") return sendRefusedMethod(response);
    if (this.#inFlight >= this.#maxInFlight) {
      this.#parts.admission.refuseRequest();
      const overloaded = problem("overloaded", `${String(this.#maxInFlight)} requests are in flight`);
      return this.#refuse(request, response, overloaded);
    }
    const requestId = new LazyRequestId();
    const authentication = this.#parts.authenticate(request);
    if (authentication.kind === "problem") {
      const refusal = { ...authentication.problem, request_id: requestId.text };
      this.#parts.noteRefusal({ code: refusal.code, requestId: requestId.text, request });
      return sendProblem(response, refusal);
    }
    const { principal } = authentication;
    this.#inFlight += 1;
    try {
      const answer = await this.#parts.admission.withBody(bodyOf(principal, request), () =>
        work(principal, requestId),
      );
      if (answer === null) return;
      if (!("code" in answer)) sendJson(response, 200, answer, requestId.headers);
      else await this.#refuse(request, response, { request_id: requestId.text, ...answer });
    } finally {
      this.#inFlight -= 1;
    }
  }

  /**
   * Refuses a request. A caller that should retry must receive its answer, so the rest of its body is read
   * first and dropped.
   */
  async #refuse(request: IncomingMessage, response: ServerResponse, refusal: Problem): Promise<void> {
    switch (refusal.code) {
      case "overloaded":
      case "too_many_requests":
        await this.#discard.run(request, MAX_BODY_BYTES);
        return sendProblem(response, refusal, { "retry-after": RETRY_AFTER_S });
      default:
        return sendProblem(response, refusal);
    }
  }

  async #recorded(
    principal: Principal,
    report: OutcomeReport,
    requestId: LazyRequestId,
  ): Promise<Problem | Recorded> {
    try {
      return outcomeAnswer(await inTime(this.#parts.gateway.reportOutcome(principal, report)));
    } catch (error) {
      const request_id = requestId.text;
      this.#parts.log.error({ ...faultFields(error), request_id }, "an outcome was not recorded");
      return problem("unavailable", "the store did not confirm the outcome; repeating the report is safe", {
        request_id,
      });
    }
  }
}

function sendRefusedMethod(response: ServerResponse): void {
  const { problem: refusal, headers } = refusedMethod(["POST"]);
  sendProblem(response, refusal, headers);
}

interface Recorded {
  readonly recorded: true;
}

function bodyOf({ org, id }: Principal, request: IncomingMessage) {
  const bytes = Math.min(announcedBytes(request) ?? UNKNOWN_BODY_BYTES, MAX_BODY_BYTES);
  return { caller: `${org}/${id}`, size: sizeOf(bytes), bytes };
}

function outcomeAnswer(result: OutcomeResult): Problem | Recorded {
  switch (result.kind) {
    case "recorded":
    case "repeated":
      return { recorded: true };
    case "conflict":
      return problem("conflict", "Another outcome was reported for this decision before.");
    case "not_found":
      return problem(
        "not_found",
        "This organization has no such decision. Send the decision_id of the verdict.",
      );
    case "not_allowed":
      return problem("conflict", "This decision was not an allow, so there is no outcome to report.");
  }
}
