import type { IncomingMessage, ServerResponse } from "node:http";
import { faultFields } from "@svc/contract/fault-fields";
import { MAX_BODY_BYTES, MAX_REQUESTS_IN_FLIGHT } from "@svc/contract/limits";
import type { OutcomeReport } from "@svc/contract/outcome";
import { parseOutcomeReport } from "@svc/contract/outcome";
import type { Principal } from "@svc/contract/principal";
import { CODES_PAGE, type Problem, problem } from "@svc/contract/problem";
import { refuseScope } from "@svc/contract/refuse-scope";
import type { Scope } from "@svc/contract/scope";
import { type DenyVerdict, REASON_PREFIX, type Verdict } from "@svc/contract/verdict";
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

/** A request and the scope that its route needs. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly scope: Scope;
}

/** A request whose key was accepted when it arrived. */
interface Admitted {
  readonly principal: Principal;
  readonly requestId: LazyRequestId;
  /** Why the key may not act any more; null while it may. */
  readonly refusal: () => Problem | null;
}

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
    await this.#admit({ request, response, scope: "call:execute" }, async (admitted) => {
      const answer = await decideCall(this.#parts, { ...admitted, request, response });
      return answer === null || "code" in answer ? answer : heldBack(admitted, answer);
    });
  }

  async outcome(request: IncomingMessage, response: ServerResponse): Promise<void> {
    await this.#admit({ request, response, scope: "outcome:own" }, async (admitted) => {
      const report = await readJsonInput(request, parseOutcomeReport, MAX_OUTCOME_BYTES);
      if (report.kind === "problem") return report.problem;
      return admitted.refusal() ?? this.#recorded(admitted, report.value);
    });
  }

  /** Checks method, capacity, credentials and scope before it does the work. Sends at most one answer. */
  async #admit(
    { request, response, scope }: Exchange,
    work: (admitted: Admitted) => Promise<Answer>,
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
    const { principal, refusal } = authentication;
    const forbidden = refuseScope(principal, scope);
    if (forbidden !== null)
      return this.#refuse(request, response, { ...forbidden, request_id: requestId.text });
    this.#inFlight += 1;
    try {
      const answer = await this.#parts.admission.withBody(bodyOf(principal, request), () =>
        work({ principal, requestId, refusal }),
      );
      if (answer === null) return;
      if (!("code" in answer)) sendJson(response, 200, withDocs(answer), requestId.headers);
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
      case "unauthenticated":
      case "forbidden":
        this.#parts.noteRefusal({ code: refusal.code, requestId: refusal.request_id ?? null, request });
        return sendProblem(response, refusal);
      case "overloaded":
      case "too_many_requests":
        await this.#discard.run(request, MAX_BODY_BYTES);
        return sendProblem(response, refusal, { "retry-after": RETRY_AFTER_S });
      default:
        return sendProblem(response, refusal);
    }
  }

  async #recorded({ principal, requestId }: Admitted, report: OutcomeReport): Promise<Problem | Recorded> {
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

/** A deny tells where the server explains it. */
function withDocs(answer: Verdict | Recorded): Verdict | Recorded {
  if (!("decision" in answer) || answer.decision !== "deny") return answer;
  const docs = `${CODES_PAGE}#${REASON_PREFIX}${answer.reason_code}`;
  return { ...answer, docs } satisfies DenyVerdict;
}

function sendRefusedMethod(response: ServerResponse): void {
  const { problem: refusal, headers } = refusedMethod(["POST"]);
  sendProblem(response, refusal, headers);
}

/**
 * A verdict that lets a call go on is sent only while its key is accepted by verified control state. The row
 * of one that is held back stays, without an outcome.
 */
function heldBack({ refusal }: Admitted, verdict: Verdict): Verdict | Problem {
  return verdict.decision === "deny" ? verdict : (refusal() ?? verdict);
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
    case "ran_unallowed":
      return problem(
        "conflict",
        "This decision was not an allow. The audit log now says that the call ran without one.",
      );
  }
}
