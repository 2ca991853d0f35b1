import { hash } from "node:crypto";
import { invalidProblem, malformedProblem } from "@svc/contract/body-problem";
import { DEFAULT_NAMESPACE } from "@svc/contract/execute-request";
import { MAX_HELD_WAIT_SECONDS } from "@svc/contract/held-call-limits";
import { IDEMPOTENCY_KEY_EXPECTATION, isIdempotencyKey } from "@svc/contract/idempotency-key";
import type { Principal } from "@svc/contract/principal";
import { type Problem, problem } from "@svc/contract/problem";
import { refuseBinding } from "@svc/contract/refuse-binding";
import type { Verdict } from "@svc/contract/verdict";
import type { Gateway } from "@svc/gateway/gateway";
import type { LargeCallThread } from "@svc/gateway/large-call-thread";
import { openLargeCall } from "@svc/gateway/open-large-call";
import type { CallRequest, ReceivedCall, RequestId } from "@svc/gateway/pending-call";
import { callerTrace } from "@svc/http-edge/caller-trace";
import type { Exchange } from "@svc/http-edge/exchange";
import { bodyMediaType } from "@svc/http-edge/media-type";
import { type HeadText, ofHead } from "@svc/http-edge/request-head";
import { singleHeader } from "@svc/http-edge/single-header";
import { preferredWait } from "../conventions/preferred-wait.ts";
import { type Input, type RawBody, readAcceptedBody } from "../request-input.ts";
import type { Admission } from "./admission/admission.ts";
import type { AdmissionTicket } from "./admission/admission-ticket.ts";
import { sizeOf } from "./admission/call-size.ts";
import { peekAgent } from "./admission/peek-agent.ts";
import { parseCallBody } from "./parse-call-body.ts";
import { refuseLongRow, refuseLongText } from "./row-limit.ts";
import { waitForRecovery } from "./wait-for-recovery.ts";

export interface DecideParts {
  readonly gateway: Gateway;
  readonly admission: Admission;
  readonly largeCalls: LargeCallThread;
}

/** A call of a caller whose key was accepted. */
export interface AcceptedCall {
  readonly principal: Principal;
  readonly exchange: Exchange;
  readonly requestId: RequestId;
  /** Why the key may not act any more; null while it may. */
  readonly refusal: () => Problem | null;
  readonly ticket: AdmissionTicket;
}

/** One call whose body has arrived completely. */
interface BufferedCall extends AcceptedCall {
  readonly bytes: Buffer;
}

/** Null: the caller has gone, and nothing was decided. */
type Decided = Judged | null;

type Judged = Verdict | Problem;

const MEDIA_TYPES = ["application/json"];

/** What a head says about its call, by its text alone. */
const readCallHead = (text: HeadText) => ({
  media: bodyMediaType(text, MEDIA_TYPES),
  waitMs: preferredWait(text, MAX_HELD_WAIT_SECONDS),
});

/**
 * Reads one call and asks the gateway. This thread decides small calls, in slices. Large calls take turns,
 * and a thread of their own parses them. No call therefore delays the others for long. What need not wait is
 * not made to: each promise of this path is paid for by every call.
 */
export function decideCall(parts: DecideParts, call: AcceptedCall): Decided | Promise<Decided> {
  const { media } = ofHead(call.exchange.request, readCallHead);
  if (media.kind === "problem") return media.problem;
  const raw = readAcceptedBody(call.exchange, media.type);
  return raw instanceof Promise
    ? raw.then((read) => decideBySize(parts, call, read))
    : decideBySize(parts, call, raw);
}

function decideBySize(
  parts: DecideParts,
  call: AcceptedCall,
  raw: Input<RawBody>,
): Decided | Promise<Decided> {
  if (raw.kind === "problem") return raw.problem;
  // The body may have come slowly. Only the key is checked here: while control state is not verified, the
  // gateway itself denies, with a row.
  const ended = call.refusal();
  if (ended?.code === "unauthenticated") return ended;
  const received = { ...call, bytes: raw.value.bytes };
  switch (sizeOf(received.bytes.byteLength)) {
    case "small": {
      const { waitMs } = ofHead(call.exchange.request, readCallHead);
      return waitMs === 0 ? decideSmall(parts, received) : decideWaiting(parts, received, waitMs);
    }
    case "large":
      return decideLarge(parts, received);
  }
}

/** A call of a suspended agent waits as long as its caller prefers. A large call does not: it takes turns. */
async function decideWaiting(parts: DecideParts, received: BufferedCall, waitMs: number): Promise<Decided> {
  const { principal, exchange, bytes, ticket } = received;
  const decide = async (): Promise<Decided> => {
    const decided = await decideSmall(parts, received);
    // An agent does not pay for its calls that wait.
    ticket.releaseAgent();
    return decided;
  };
  const first = await decide();
  const call = { principal, exchange, bytes, waitMs, signal: exchange.abortSignal() };
  return waitForRecovery(parts.gateway, call, first, async () => {
    const ended = received.refusal();
    return ended?.code === "unauthenticated" ? ended : decide();
  });
}

function decideSmall(parts: DecideParts, received: BufferedCall): Decided | Promise<Decided> {
  const { bytes, principal, exchange } = received;
  return parts.admission.inSlice({
    agent: () => peekedAgent(principal, bytes),
    gone: () => exchange.abortSignal(),
    work: () => parseHere(parts, received),
  });
}

function parseHere(parts: DecideParts, received: BufferedCall): Judged | Promise<Judged> {
  const { bytes, principal, ticket } = received;
  const input = parseCallBody(bytes);
  if (input.kind === "problem") return input.problem;
  const tooLong = refuseLongRow(input.value.args, bytes.byteLength);
  if (tooLong !== null) return tooLong;
  return bindAndAsk(parts, received, input.value, () => {
    const agent = agentOf(principal, input.value.agent_id);
    return ticket.admitAgent({ agent, size: "small", bytes: bytes.byteLength });
  });
}

function decideLarge(parts: DecideParts, received: BufferedCall): Decided | Promise<Decided> {
  const { bytes, principal, exchange, ticket } = received;
  const agent = peekedAgent(principal, bytes);
  const refused = ticket.admitAgent({ agent, size: "large", bytes: bytes.byteLength });
  if (refused !== null) return refused;
  return parts.admission.inTurn(agent, exchange.abortSignal(), () => parseOnThread(parts, received));
}

async function parseOnThread(parts: DecideParts, received: BufferedCall): Promise<Judged> {
  const call = await openLargeCall(parts.largeCalls, received.bytes);
  switch (call.kind) {
    case "malformed":
      return malformedProblem(call.fault);
    case "refused":
      return invalidProblem(call.errors);
    case "opened":
      try {
        return refuseLongText(call.canonicalBytes) ?? (await bindAndAsk(parts, received, call.request));
      } finally {
        call.release();
      }
  }
}

/**
 * Compares the call with what its key is bound to, and asks.
 * @param admit says why there is no room for a call of the agent; null: there is
 */
function bindAndAsk(
  parts: DecideParts,
  received: BufferedCall,
  request: CallRequest,
  admit: () => Problem | null = () => null,
): Judged | Promise<Judged> {
  const { principal } = received;
  const call = { request, boundNamespace: boundNamespace(parts, principal, request) };
  return refuseCall(parts, principal, call) ?? admit() ?? ask(parts, received, call);
}

type BoundCall = Pick<ReceivedCall, "request" | "boundNamespace">;

/**
 * The namespace that the binding of a key is compared with, of a call that names none. The call is decided
 * there, also when the agent is moved meanwhile.
 */
function boundNamespace(
  { gateway }: DecideParts,
  { org, namespaces }: Principal,
  call: CallRequest,
): string | undefined {
  return namespaces === null || call.namespace !== null ? undefined : gateway.namespaceOf(org, call);
}

/** Why a key that is bound to agents or namespaces may not ask about this call; null when it may. */
function refuseCall({ gateway }: DecideParts, principal: Principal, call: BoundCall): Problem | null {
  if (principal.agents === null && principal.namespaces === null) return null;
  const { agent_id, namespace: named } = call.request;
  const subject = { agent_id, namespace: named ?? call.boundNamespace ?? DEFAULT_NAMESPACE };
  const refused = refuseBinding(principal, subject);
  if (refused === null || named !== null) return refused;
  const isRegistered = gateway.isRegistered(principal.org, agent_id);
  return refuseBinding(principal, { ...subject, implied: isRegistered ? "registration" : "default_of_call" });
}

/**
 * The agent whose turn a body takes. All bodies of one key whose agent is not found, or is not one that the
 * key is bound to, share their turns: a key takes no turn of another agent.
 */
function peekedAgent(principal: Principal, bytes: Buffer): string {
  const found = peekAgent(bytes);
  const isOwn = found !== null && (principal.agents === null || principal.agents.has(found));
  return agentOf(principal, isOwn ? found : `(${principal.id})`);
}

function ask(
  { gateway }: DecideParts,
  { principal, exchange, requestId, bytes }: BufferedCall,
  { request, boundNamespace: namespace }: BoundCall,
): Problem | Promise<Judged> {
  const trace = callerTrace(exchange.request);
  const received = { principal, request, boundNamespace: namespace, requestId, trace };
  const header = singleHeader(exchange.request, "idempotency-key");
  switch (header.kind) {
    case "absent":
      return gateway.execute(received);
    case "repeated":
      return problem("invalid_header", "expected one header Idempotency-Key, found several");
    case "value": {
      const key = header.value;
      if (!isIdempotencyKey(key))
        return problem("invalid_header", `Idempotency-Key: expected ${IDEMPOTENCY_KEY_EXPECTATION}`);
      const named = { idempotencyKey: key, bodyDigest: hash("sha256", bytes) };
      return gateway.executeOnce(received, named).then((verdict) => verdict ?? usedBefore(key));
    }
  }
}

function usedBefore(key: string): Problem {
  return problem("idempotency_conflict", `Idempotency-Key ${key} was used with a different body before`);
}

function agentOf({ org }: Principal, agentId: string): string {
  return `${org}/${agentId}`;
}
