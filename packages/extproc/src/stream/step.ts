import { failClosedDeny, type RefusalVerdict } from "@svc/contract/verdict";
import type { Result } from "@svc/tool-calls/result";
import type { HeaderList } from "../wire/header-list.ts";
import type { BodyMode, Direction, Incoming, Part } from "../wire/processing-request.ts";
import { continueHeaders, type HeaderChanges, NO_CHANGES, refuse } from "../wire/processing-response.ts";
import { collectBody, collectTrailers, passPart } from "./collect.ts";
import { DECISION_HEADER, releaseMessages } from "./release.ts";
import {
  type Effect,
  type HttpMessage,
  type Leg,
  owesVerdict,
  type Plan,
  pendingStage,
  type ReportName,
  type Ruling,
  type StreamEvent,
  type StreamRefusal,
  type StreamState,
} from "./stream-state.ts";

const LATE = failClosedDeny(
  "decision_timeout",
  "The message was not completely received and judged in time.",
);
const SHUTTING_DOWN = failClosedDeny("gateway_unreachable", "The adapter is shutting down.");

/** The rules that the state machine applies to the events of a stream. */
export interface StreamRules<Route> {
  /** Plans a request by its headers. */
  readonly plan: (headers: HeaderList, attributes: ReadonlyMap<string, string>) => Result<Plan<Route>>;
  /** The body mode of both directions when the proxy does not say. */
  readonly fallbackMode: BodyMode;
  /** Largest judged body in bytes, by direction. */
  readonly maxBytes: Readonly<Record<Direction, number>>;
}

/** The state after an event, and the effects in order. */
export interface Step<Route> {
  readonly state: StreamState<Route>;
  readonly effects: readonly Effect<Route>[];
}

/**
 * One move of one stream. Pure: it knows no gRPC, no clock and no gateway. In every order of events, a judged
 * leg goes on only by a release, and the stream ends with OK only when no verdict is pending.
 */
export function step<Route>(
  state: StreamState<Route>,
  event: StreamEvent,
  rules: StreamRules<Route>,
): Step<Route> {
  if (state.ended) return { state, effects: [] };
  const next = state.closed
    ? { state: { ...state, halfClosed: state.halfClosed || event.kind === "half_closed" }, effects: [] }
    : move(state, event, rules);
  const isOver = next.state.halfClosed && !next.state.ended && !owesVerdict(next.state);
  return isOver ? end(next, { kind: "end" }) : next;
}

function move<Route>(state: StreamState<Route>, event: StreamEvent, rules: StreamRules<Route>): Step<Route> {
  switch (event.kind) {
    case "message":
      return onMessage(state, event.message, rules);
    case "ruling":
      return onRuling(state, event.direction, event.ruling);
    case "half_closed":
      return onHalfClose(state);
    case "expired":
      return refusePending(state, "late", LATE);
    case "shutdown":
      return onShutdown(state);
  }
}

function onMessage<Route>(
  before: StreamState<Route>,
  message: Incoming,
  rules: StreamRules<Route>,
): Step<Route> {
  const state = before.modes === null ? withFirst(before, message, rules.fallbackMode) : before;
  const { part } = message;
  if (state.observed) return observe(state, message, rules);
  if (part === null) return refuseBadly(state, "spurious", "a message of an unknown kind");
  if (part.kind === "headers" && part.direction === "request") return onRequest(state, message, part, rules);
  if (state.plan === null) return refuseBadly(state, "headers_skipped", "no request headers");
  return onPart(state, state.plan, part, rules);
}

function withFirst<Route>(
  state: StreamState<Route>,
  { modes, observed }: Incoming,
  fallback: BodyMode,
): StreamState<Route> {
  return { ...state, modes: modes ?? { request: fallback, response: fallback }, observed };
}

/**
 * Answers nothing, because the proxy would ignore it. Reports a governed request that the
 * proxy only observes.
 */
function observe<Route>(
  state: StreamState<Route>,
  { part, attributes }: Incoming,
  rules: StreamRules<Route>,
): Step<Route> {
  if (part?.kind !== "headers" || part.direction !== "request") return { state, effects: [] };
  const plan = rules.plan(part.headers, attributes);
  if (plan.ok && plan.value.judges === null) return { state, effects: [] };
  const details = "the proxy only observes; this request goes on unjudged";
  return { state, effects: [{ kind: "report", name: "observed", details }] };
}

type HeadersPart = Extract<Part, { kind: "headers" }>;

function onRequest<Route>(
  state: StreamState<Route>,
  { attributes }: Incoming,
  part: HeadersPart,
  rules: StreamRules<Route>,
): Step<Route> {
  if (state.plan !== null) return refuseBadly(state, "spurious", "request headers twice");
  const found = rules.plan(part.headers, attributes);
  if (!found.ok) return close(state, found.deny);
  const plan = found.value;
  const planned = { ...state, plan };
  const responseMode = state.modes?.response ?? "NONE";
  if (plan.judges === "response" && !isJudgeable("response", responseMode)) {
    return refuseBadly(
      planned,
      "body_mode",
      `response bodies sent as ${responseMode}, which cannot be judged`,
    );
  }
  return onPart(planned, plan, part, rules);
}

function onPart<Route>(
  state: StreamState<Route>,
  plan: Plan<Route>,
  part: Part,
  rules: StreamRules<Route>,
): Step<Route> {
  const { direction } = part;
  const leg = state.legs[direction];
  const mode = state.modes?.[direction] ?? "NONE";
  if (plan.judges !== direction) {
    const changes = direction === "request" ? plan.changes : NO_CHANGES;
    return answer(withLeg(state, direction, { stage: "passing" }), passPart(part, mode, changes));
  }
  if (part.kind === "headers") {
    if (leg.stage !== "waiting") return refuseBadly(state, "spurious", "headers twice");
    return beginJudged(state, plan, part, mode);
  }
  const collected =
    part.kind === "body" ? collectBody(leg, part, rules.maxBytes[direction]) : collectTrailers(leg, part);
  switch (collected.kind) {
    case "goes_on":
      return answer(withLeg(state, direction, collected.leg), collected.responses);
    case "whole":
      return judge(withLeg(state, direction, collected.leg), plan, collected.message);
    case "too_large":
      return refuseItself(state, "too_large", failClosedDeny("request_malformed", collected.reason));
    case "spurious":
      return refuseBadly(state, "spurious", collected.reason);
  }
}

function beginJudged<Route>(
  state: StreamState<Route>,
  plan: Plan<Route>,
  { direction, headers, last }: HeadersPart,
  mode: BodyMode,
): Step<Route> {
  if (last) {
    const leg: Leg = { stage: "judging", mode: "HEADERS_ONLY", body: null, pieceCount: 0, trailers: null };
    return judge(withLeg(state, direction, leg), plan, { direction, headers, body: null });
  }
  if (!isJudgeable(direction, mode)) {
    return refuseBadly(state, "body_mode", `${direction} bodies sent as ${mode}, which cannot be judged`);
  }
  const leg: Leg = { stage: "collecting", mode, headers, pieces: [], size: 0 };
  const next = withLeg(state, direction, leg);
  // In FULL_DUPLEX_STREAMED the body comes without an answer to the headers; in the others only after it.
  if (mode === "FULL_DUPLEX_STREAMED") return { state: next, effects: [] };
  const { set, remove } = plannedChanges(state, direction);
  const changes = direction === "request" ? { set, remove: [...remove, DECISION_HEADER] } : NO_CHANGES;
  return answer(next, [continueHeaders(direction, changes)]);
}

/**
 * The client has the headers of a response before its streamed body is complete, so a deny would
 * come too late.
 */
function isJudgeable(
  direction: Direction,
  mode: BodyMode,
): mode is "BUFFERED" | "STREAMED" | "FULL_DUPLEX_STREAMED" {
  if (mode === "STREAMED") return direction === "request";
  return mode === "BUFFERED" || mode === "FULL_DUPLEX_STREAMED";
}

function judge<Route>(state: StreamState<Route>, plan: Plan<Route>, message: HttpMessage): Step<Route> {
  return { state, effects: [{ kind: "judge", message, plan }] };
}

function onRuling<Route>(state: StreamState<Route>, direction: Direction, ruling: Ruling): Step<Route> {
  const leg = state.legs[direction];
  if (leg.stage !== "judging") return { state, effects: [] };
  if (ruling.kind === "refuse") return close(state, ruling.verdict);
  const responses = releaseMessages(direction, leg, ruling, plannedChanges(state, direction));
  if ("decision" in responses) return refuseItself(state, "release", responses);
  const mayHaveTrailers = leg.mode === "BUFFERED" && leg.trailers === null;
  return answer(withLeg(state, direction, { stage: "released", mayHaveTrailers }), responses);
}

function plannedChanges(state: StreamState<unknown>, direction: Direction): HeaderChanges {
  return direction === "request" ? (state.plan?.changes ?? NO_CHANGES) : NO_CHANGES;
}

function onHalfClose<Route>(state: StreamState<Route>): Step<Route> {
  const halfClosed = { ...state, halfClosed: true };
  // The proxy may still wait for the answers to its messages.
  if (!owesVerdict(state) || pendingStage(state) === "judging") return { state: halfClosed, effects: [] };
  const refused = refuseBadly(halfClosed, "unjudged", "the proxy ended the stream before a verdict");
  return end(refused, { kind: "fail", details: "a verdict was pending" });
}

function onShutdown<Route>(state: StreamState<Route>): Step<Route> {
  if (state.plan !== null || state.observed) {
    return refusePending(state, "shutdown", SHUTTING_DOWN);
  }
  return end({ state, effects: [] }, { kind: "fail", details: "shutting down" });
}

function end<Route>({ state, effects }: Step<Route>, last: Effect<Route>): Step<Route> {
  return { state: { ...state, closed: true, ended: true }, effects: [...effects, last] };
}

function refusePending<Route>(
  state: StreamState<Route>,
  cause: StreamRefusal,
  verdict: RefusalVerdict,
): Step<Route> {
  return pendingStage(state) === null ? { state, effects: [] } : refuseItself(state, cause, verdict);
}

/**
 * Refuses a message that a correctly configured proxy sends only for an unusual client, if ever, and reports
 * it to the operator.
 */
function refuseBadly<Route>(state: StreamState<Route>, name: ReportName, found: string): Step<Route> {
  const reason = `expected a message that can be judged, found ${found}.`;
  const verdict = failClosedDeny("request_malformed", `The exchange: ${reason}`);
  const closed = refuseItself(state, "exchange", verdict);
  return { ...closed, effects: [{ kind: "report", name, details: found }, ...closed.effects] };
}

/** Refuses without a ruling, and reports the cause to the operator. */
function refuseItself<Route>(
  state: StreamState<Route>,
  cause: StreamRefusal,
  verdict: RefusalVerdict,
): Step<Route> {
  const closed = close(state, verdict);
  return { ...closed, effects: [...closed.effects, { kind: "refused", cause, verdict }] };
}

function close<Route>(state: StreamState<Route>, verdict: RefusalVerdict): Step<Route> {
  return answer({ ...state, closed: true }, [refuse(verdict)]);
}

function answer<Route>(state: StreamState<Route>, responses: readonly object[]): Step<Route> {
  return {
    state,
    effects: responses.map((response) => ({ kind: "send", response: response as Record<string, object> })),
  };
}

function withLeg<Route>(state: StreamState<Route>, direction: Direction, leg: Leg): StreamState<Route> {
  return { ...state, legs: { ...state.legs, [direction]: leg } };
}
