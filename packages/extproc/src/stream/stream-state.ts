import type { RefusalVerdict } from "@svc/contract/verdict";
import type { HeaderList } from "../wire/header-list.ts";
import type { BodyMode, Direction, Incoming } from "../wire/processing-request.ts";
import type { HeaderChanges, WireResponse } from "../wire/processing-response.ts";

/** Body modes in which a whole body can be judged before any of it goes on. */
export type JudgeableMode = "BUFFERED" | "STREAMED" | "FULL_DUPLEX_STREAMED";

/** Why a message may go on: a gateway allowed its calls, or it holds nothing for a gateway to decide. */
export type Mark = "allow" | "ungoverned";

/** The plan for one stream, made from the request headers. `Route` is opaque here. */
export interface Plan<Route> {
  /** The leg that needs a verdict before it may go on; null when none does. */
  readonly judges: Direction | null;
  /** Header changes of the request, whether it is judged or goes on without a verdict. */
  readonly changes: HeaderChanges;
  readonly route: Route;
}

/** One whole HTTP message to be judged. */
export interface HttpMessage {
  readonly direction: Direction;
  readonly headers: HeaderList;
  /** Null when the headers said that the message has no body. */
  readonly body: Uint8Array | null;
}

/** The result of a judgement. */
export type Ruling =
  | { readonly kind: "refuse"; readonly verdict: RefusalVerdict }
  | {
      readonly kind: "release";
      readonly mark: Mark;
      /** The bytes that go on; null for the original ones. */
      readonly body: Uint8Array | null;
      readonly changes: HeaderChanges;
    };

/** The state of one direction. Nothing of a judged leg goes on before it is `released`. */
export type Leg =
  | { readonly stage: "waiting" }
  | {
      readonly stage: "collecting";
      readonly mode: JudgeableMode;
      readonly headers: HeaderList;
      readonly pieces: readonly Uint8Array[];
      readonly size: number;
    }
  | {
      readonly stage: "judging";
      /** HEADERS_ONLY: the message has no body, and its headers wait for an answer. */
      readonly mode: JudgeableMode | "HEADERS_ONLY";
      readonly body: Uint8Array | null;
      /** Body messages that wait for an answer. */
      readonly pieceCount: number;
      /** Names of trailers that wait for an answer; null when none came. */
      readonly trailers: readonly string[] | null;
    }
  | { readonly stage: "released"; readonly mayHaveTrailers: boolean }
  | { readonly stage: "passing" };

export interface StreamState<Route> {
  /** Null until the request headers came. */
  readonly plan: Plan<Route> | null;
  /** The body modes in the first message; null before it. */
  readonly modes: Readonly<Record<Direction, BodyMode>> | null;
  readonly observed: boolean;
  readonly legs: Readonly<Record<Direction, Leg>>;
  /** The proxy sends nothing more; it may still wait for the answer to what it sent. */
  readonly halfClosed: boolean;
  /** The stream is decided. Later events change nothing. */
  readonly closed: boolean;
  /** The stream has its status, OK or another. */
  readonly ended: boolean;
}

export type StreamEvent =
  | { readonly kind: "message"; readonly message: Incoming }
  | { readonly kind: "ruling"; readonly direction: Direction; readonly ruling: Ruling }
  /** The proxy sends nothing more. */
  | { readonly kind: "half_closed" }
  /** The time for a whole message and its verdict is over. */
  | { readonly kind: "expired" }
  | { readonly kind: "shutdown" };

/** The names of reports to operators, in logs and counters. */
export const REPORT_NAMES = ["unjudged", "observed", "body_mode", "headers_skipped", "spurious"] as const;
export type ReportName = (typeof REPORT_NAMES)[number];

/** Why a stream refused a request without a question to the gateway, although its headers were accepted. */
export const STREAM_REFUSALS = ["too_large", "late", "shutdown", "exchange", "release"] as const;
export type StreamRefusal = (typeof STREAM_REFUSALS)[number];

export type Effect<Route> =
  | { readonly kind: "send"; readonly response: WireResponse }
  | { readonly kind: "judge"; readonly message: HttpMessage; readonly plan: Plan<Route> }
  /**
   * Ends the stream with status OK. Never while a verdict is pending, because the proxy would let the
   * request go on.
   */
  | { readonly kind: "end" }
  /** Ends the stream with another status: the proxy refuses the request. */
  | { readonly kind: "fail"; readonly details: string }
  /** The stream itself refused the request, without a ruling. */
  | { readonly kind: "refused"; readonly cause: StreamRefusal; readonly verdict: RefusalVerdict }
  | { readonly kind: "report"; readonly name: ReportName; readonly details: string };

export function initialState<Route>(): StreamState<Route> {
  const waiting: Leg = { stage: "waiting" };
  return {
    plan: null,
    modes: null,
    observed: false,
    legs: { request: waiting, response: waiting },
    halfClosed: false,
    closed: false,
    ended: false,
  };
}

/**
 * Whether a part of the exchange still waits for a verdict. Without a plan nothing is known, so the
 * answer is true.
 */
export function owesVerdict({ plan, observed, closed, legs }: StreamState<unknown>): boolean {
  if (observed || closed) return false;
  if (plan === null) return true;
  return plan.judges !== null && legs[plan.judges].stage !== "released";
}

/** What the stream waits for, which decides its time limit: the rest of a message, or its verdict. */
export function pendingStage({ closed, legs }: StreamState<unknown>): "collecting" | "judging" | null {
  if (closed) return null;
  const stages = [legs.request.stage, legs.response.stage];
  if (stages.includes("judging")) return "judging";
  return stages.includes("collecting") ? "collecting" : null;
}
