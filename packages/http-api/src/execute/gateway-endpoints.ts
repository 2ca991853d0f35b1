import type { IncomingMessage, ServerResponse } from "node:http";
import { faultFields } from "@svc/contract/fault-fields";
import { MAX_REQUESTS_IN_FLIGHT } from "@svc/contract/limits";
import type { OutcomeReport } from "@svc/contract/outcome";
import { parseOutcomeReport } from "@svc/contract/outcome";
import type { Principal } from "@svc/contract/principal";
import { CODES_PAGE, type Problem, problem } from "@svc/contract/problem";
import { refuseScope } from "@svc/contract/refuse-scope";
import type { Scope } from "@svc/contract/scope";
import { type DenyVerdict, REASON_PREFIX, type Verdict } from "@svc/contract/verdict";
import type { OutcomeResult } from "@svc/gateway/outcome";
import { type Answer, jsonAnswer, problemAnswer } from "@svc/http-edge/answer";
import { BodyDiscard } from "@svc/http-edge/discard-body";
import type { Exchange } from "@svc/http-edge/exchange";
import { NodeExchange } from "@svc/http-edge/node-exchange";
import { LazyRequestId } from "@svc/http-edge/request-id";
import type { Logger } from "@svc/process/logger";
import { MAX_BODY_BYTES } from "@svc/text/limits";
import type { Authenticate } from "../authentication.ts";
import { refuseForeignPage } from "../conventions/cross-origin.ts";
import { type NoteRefusal, refusesInput } from "../refusal-log.ts";
import { readJsonInput } from "../request-input.ts";
import { refusedMethod } from "../unmatched-route.ts";
import { inTime } from "../within-deadline.ts";
import { AdmissionTicket } from "./admission/admission-ticket.ts";
import { sizeOf } from "./admission/call-size.ts";
import { MAX_OUTCOME_BYTES, UNKNOWN_BODY_BYTES } from "./admission/limits.ts";
import { type AcceptedCall, type DecideParts, decideCall } from "./decide-call.ts";

export interface GatewayEndpointsParts extends DecideParts {
  readonly authenticate: Authenticate;
  readonly log: Logger;
  readonly noteRefusal: NoteRefusal;
  /** Stands before the path of the page that explains a reason. Empty: the path alone. */
  readonly docsUrl: string;
  /** How browsers reach this server. */
  readonly publicUrl: string;
  /** Fewer than MAX_REQUESTS_IN_FLIGHT, for tests. */
  readonly maxInFlight?: number;
}

/** Seconds after which a refused client may try again. */
const RETRY_AFTER_S = "1";

/** Null: the caller has gone, so there is no answer. */
type Result = Verdict | Problem | Recorded | null;

/** A request whose key was accepted when it arrived. */
interface Admitted extends AcceptedCall {
  readonly requestId: LazyRequestId;
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

  execute(request: IncomingMessage, response: ServerResponse): void | Promise<void> {
    return this.executeExchange(new NodeExchange(request, response, this.#discard));
  }

  /** The same for a request of the edge server or of the lane. */
  executeExchange(exchange: Exchange): void | Promise<void> {
    return this.#admit(exchange, "call:execute", (admitted) => decideCall(this.#parts, admitted));
  }

  async outcome(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const exchange = new NodeExchange(request, response, this.#discard);
    await this.#admit(exchange, "outcome:own", async (admitted) => {
      const report = await readJsonInput(request, parseOutcomeReport, MAX_OUTCOME_BYTES);
      if (report.kind === "problem") return report.problem;
      return admitted.refusal() ?? this.#recorded(admitted, report.value);
    });
  }

  /**
   * Checks method, origin, capacity, credentials and scope before it does the work. Sends at most one answer.
   * No promise for a request that is answered at once.
   */
  #admit(
    exchange: Exchange,
    scope: Scope,
    work: (admitted: Admitted) => Result | Promise<Result>,
  ): void | Promise<void> {
    const { request } = exchange;
    if (request.method !== "POST") return exchange.send(refusedMethodAnswer());
    const requestId = new LazyRequestId(request);
    const foreign = refuseForeignPage(request, this.#parts.publicUrl);
    if (foreign !== null) return this.#refuse(exchange, { ...foreign, request_id: requestId.text });
    if (this.#inFlight >= this.#maxInFlight) {
      this.#parts.admission.refuseRequest();
      const overloaded = problem("overloaded", `${String(this.#maxInFlight)} requests are in flight`);
      return this.#refuse(exchange, { ...overloaded, request_id: requestId.text });
    }
    const authentication = this.#parts.authenticate(request);
    if (authentication.kind === "problem") {
      const refusal = { ...authentication.problem, request_id: requestId.text };
      this.#parts.noteRefusal({ code: refusal.code, requestId: requestId.text, request });
      return exchange.send(problemAnswer(refusal));
    }
    const { principal, refusal } = authentication;
    const forbidden = refuseScope(principal, scope);
    if (forbidden !== null) return this.#refuse(exchange, { ...forbidden, request_id: requestId.text });
    const ticket = new AdmissionTicket(this.#parts.admission);
    const admitted = { exchange, principal, requestId, refusal, ticket };
    this.#inFlight += 1;
    let result: Result | Promise<Result>;
    try {
      result = ticket.admitBody(bodyOf(admitted)) ?? work(admitted);
    } catch (error) {
      this.#drop(admitted);
      throw error;
    }
    if (!(result instanceof Promise)) return this.#finish(admitted, result);
    return result.then(
      (worked) => this.#finish(admitted, worked),
      (error: unknown) => {
        this.#drop(admitted);
        throw error;
      },
    );
  }

  /** Answers an admitted request, unless its caller has gone. */
  #finish(admitted: Admitted, result: Result): void | Promise<void> {
    const { exchange, requestId, ticket, principal } = admitted;
    ticket.release();
    let refusal: Problem | null = null;
    try {
      const answer = result !== null && "decision" in result ? withholdIfKeyEnded(admitted, result) : result;
      if (answer === null) return;
      if (!("code" in answer))
        return exchange.send(jsonAnswer(200, withDocs(answer, this.#parts.docsUrl), requestId.headers));
      refusal = { request_id: requestId.text, ...answer };
    } finally {
      if (refusal === null) this.#inFlight -= 1;
    }
    return this.#refuse(exchange, refusal, principal).finally(() => {
      this.#inFlight -= 1;
    });
  }

  /** Ends an admitted request that failed. */
  #drop({ ticket }: Admitted): void {
    ticket.release();
    this.#inFlight -= 1;
  }

  /**
   * Refuses a request. A caller that should retry must receive its answer, so the rest of its body is read
   * first and dropped.
   */
  async #refuse(exchange: Exchange, refusal: Problem, principal?: Principal): Promise<void> {
    const { request } = exchange;
    switch (refusal.code) {
      case "unauthenticated":
      case "forbidden":
        this.#parts.noteRefusal({ code: refusal.code, requestId: refusal.request_id ?? null, request });
        return exchange.send(problemAnswer(refusal));
      case "overloaded":
      case "too_many_requests":
        await exchange.discardBody(MAX_BODY_BYTES);
        return exchange.send(problemAnswer(refusal, { "retry-after": RETRY_AFTER_S }));
      default:
        if (principal !== undefined && refusesInput(refusal))
          this.#parts.noteRefusal({
            code: refusal.code,
            requestId: refusal.request_id ?? null,
            request,
            principal,
          });
        return exchange.send(problemAnswer(refusal));
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
function withDocs(answer: Verdict | Recorded, docsUrl: string): Verdict | Recorded {
  if (!("decision" in answer) || answer.decision !== "deny") return answer;
  const docs = `${docsUrl}${CODES_PAGE}#${REASON_PREFIX}${answer.reason_code}`;
  return { ...answer, docs } satisfies DenyVerdict;
}

function refusedMethodAnswer(): Answer {
  const { problem: refusal, headers } = refusedMethod(["POST"]);
  return problemAnswer(refusal, headers);
}

/**
 * A verdict that lets a call go on is sent only while its key is accepted by verified control state. The row
 * of one that is held back stays, without an outcome.
 */
function withholdIfKeyEnded({ refusal }: Admitted, verdict: Verdict): Verdict | Problem {
  return verdict.decision === "deny" ? verdict : (refusal() ?? verdict);
}

interface Recorded {
  readonly recorded: true;
}

function bodyOf({ principal: { org, id }, exchange }: Pick<Admitted, "principal" | "exchange">) {
  const bytes = Math.min(exchange.announcedBytes ?? UNKNOWN_BODY_BYTES, MAX_BODY_BYTES);
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
