import { jsonAnswer } from "../answer.ts";
import { BodyDiscard } from "../discard-body.ts";
import { createEdgeServer, type EdgeServerOptions } from "../edge-server.ts";
import type { Exchange } from "../exchange.ts";
import { Lane, type LaneOptions } from "../lane/lane.ts";
import { type Listening, listen } from "../listen.ts";
import { NodeExchange } from "../node-exchange.ts";

/** What a handler reads of one request. */
export interface SeenRequest {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly rawHeaders: readonly string[];
  readonly headers: object;
  readonly body: string;
}

export interface LaneEdge extends Listening {
  readonly lane: Lane | null;
  /** Every request that reached the handler, from the lane or from the edge server. */
  readonly seen: SeenRequest[];
  readonly errors: unknown[];
}

export interface LaneEdgeOptions extends Partial<EdgeServerOptions> {
  /** Null: the edge server alone. */
  readonly lane?: Partial<LaneOptions> | null;
  /** What is done before the body is read. */
  readonly before?: (exchange: Exchange) => Promise<void>;
  /** What is done before the answer. */
  readonly work?: (exchange: Exchange) => Promise<void>;
}

export const LANE_PATHS = ["/api/v1/gateway/execute", "/gateway/execute"] as const;

/** Largest body that the handler reads, in bytes. */
const LIMIT = 100_000;

/** Starts an edge server and a lane before it. One handler answers both, with what it has read. */
export async function startLaneEdge({
  lane: laneOptions = {},
  before,
  work,
  ...options
}: LaneEdgeOptions = {}): Promise<LaneEdge> {
  const seen: SeenRequest[] = [];
  const errors: unknown[] = [];
  const discard = new BodyDiscard();
  const onError = (error: unknown): void => void errors.push(error);
  const answer = async (exchange: Exchange): Promise<void> => {
    await before?.(exchange);
    const { method, url, rawHeaders, headers } = exchange.request;
    const body = await exchange.readBody(LIMIT);
    const text = body.kind === "body" ? body.bytes.toString("latin1") : body.kind;
    seen.push({ method, url, rawHeaders: [...rawHeaders], headers: { ...headers }, body: text });
    await work?.(exchange);
    exchange.send(jsonAnswer(200, { size: text.length }));
  };
  const server = createEdgeServer({
    encodedSlash: "in_segment",
    ...options,
    handle: (request, response) => answer(new NodeExchange(request, response, discard)),
    onError,
  });
  const lane =
    laneOptions === null
      ? null
      : new Lane(server, { paths: LANE_PATHS, handle: () => answer, onError, ...laneOptions });
  return { ...(await listen(server, { host: "127.0.0.1", port: 0 }, lane)), lane, seen, errors };
}

/** A request of the lane's language. */
export function laneRequest(
  body = '{"a":1}',
  headers: readonly string[] = [],
  path: string = LANE_PATHS[0],
): string {
  const own = [`Host: svc`, "Content-Type: application/json", `Content-Length: ${String(body.length)}`];
  return `POST ${path} HTTP/1.1\r\n${[...own, ...headers].join("\r\n")}\r\n\r\n${body}`;
}
