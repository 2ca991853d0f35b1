import type { AskRoute } from "@svc/api/graphql-question";
import type { AnswerHeaders, JsonAnswerOf, RouteDefinition, RouteInput, StatusOf } from "@svc/api/route";
import type { Principal } from "@svc/contract/principal";
import type { Problem } from "@svc/contract/problem";
import type { ControlPlanePorts } from "@svc/control-plane/ports";
import type { HeadText } from "@svc/http-edge/request-head";
import type { BeginEvents } from "../live-events/event-streams.ts";

/** What every handler receives besides the input of its route. */
export interface RequestContext {
  readonly principal: Principal;
  /** In the header X-Request-Id of the answer, and in every log line that the request causes. */
  readonly requestId: string;
  /** The ports of the operations. Their log lines carry the request id. */
  readonly ports: ControlPlanePorts;
  /** The headers of the request. */
  readonly head: HeadText;
  /** Asks another route with the same key. */
  readonly ask: AskRoute;
  /** Aborts when the answer is over: it has been sent, or its client has left. */
  readonly over: AbortSignal;
}

export interface ProblemReply {
  readonly kind: "problem";
  readonly problem: Problem;
  /** The same refusal as lines of a terminal, when the caller asked for plain text. */
  readonly text?: string;
  readonly headers?: AnswerHeaders;
}

/** A body that is sent in pieces, as fast as the client takes them. */
export interface StreamReply<Status extends number = number> {
  readonly kind: "stream";
  readonly status: Status;
  readonly mediaType: string;
  readonly pieces: AsyncIterable<Uint8Array>;
}

/** Events, which are sent until either side ends the stream. */
export interface EventsReply {
  readonly kind: "events";
  readonly begin: BeginEvents;
}

export interface TextReply<Status extends number = number> {
  readonly kind: "text";
  readonly status: Status;
  readonly mediaType: string;
  readonly text: string;
  readonly headers?: AnswerHeaders;
}

/** The answers that a route defines. */
export type Reply<Definition extends RouteDefinition> =
  | JsonAnswerOf<Definition>
  | TextReply<StatusOf<Definition>>
  | StreamReply<StatusOf<Definition>>
  | EventsReply
  | ProblemReply;

/** Carries out one operation: input of its route to an answer of its route. */
export type Handler<Definition extends RouteDefinition> = (
  input: RouteInput<Definition>,
  context: RequestContext,
) => Promise<Reply<Definition>>;

/** One handler for each route. */
export type Handlers<Routes extends Readonly<Record<string, RouteDefinition>>> = {
  readonly [Id in keyof Routes]: Handler<Routes[Id]>;
};

/** An answer of some route, without the details of the route's type. */
export type AnyReply =
  | {
      readonly kind: "json";
      readonly status: number;
      readonly body: unknown;
      readonly headers?: AnswerHeaders;
    }
  | TextReply
  | StreamReply
  | EventsReply
  | ProblemReply
  /** A preflight request has an answer without a body. */
  | { readonly kind: "empty"; readonly status: 204 };

/** A handler of some route. Its input must come from the definition of the same route. */
export type AnyHandler = (input: AnyInput, context: RequestContext) => Promise<AnyReply>;

/** What `readRouteInput` reads. */
export interface AnyInput {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly ifMatch: number | null;
  /** The body as it came; empty when the route takes none. */
  readonly bodyBytes: Uint8Array;
}
