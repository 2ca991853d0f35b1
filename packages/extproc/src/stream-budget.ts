import { constants, type ServerHttp2Stream } from "node:http2";
import { type Server, status } from "@grpc/grpc-js";
import type { BodyBudget } from "@svc/http-edge/body-budget";
import { BODIES_OVERLOADED } from "@svc/http-edge/read-body";
import { http2ServersOf } from "./http2-servers.ts";

/** Gives back what a stream has received so far. */
export type GiveBack = () => void;

/**
 * Counts what every stream of a bound server receives, also of messages that do not end, until it is given
 * back or the stream ends. A stream that the budget refuses ends with RESOURCE_EXHAUSTED, so the proxy
 * refuses its request. The library shows no unfinished message.
 */
export function budgetStreams(server: Server, budget: BodyBudget): (call: object) => GiveBack {
  const held = new WeakMap<object, GiveBack>();
  for (const http2Server of http2ServersOf(server)) {
    // Before the listener of the library, which opens the call.
    http2Server.prependListener("stream", (stream: ServerHttp2Stream) => {
      held.set(stream, hold(stream, budget));
    });
  }
  return (call) => held.get(streamOf(call)) ?? ((): void => {});
}

function hold(stream: ServerHttp2Stream, budget: BodyBudget): GiveBack {
  const refuse = (): void => refuseStream(stream);
  let share = budget.open(refuse);
  // Paused first, because a listener would start the flow before the library wants it.
  stream.pause();
  stream.on("data", (chunk: Buffer) => share.add(chunk.byteLength));
  stream.once("close", () => share.release());
  return () => {
    share.release();
    if (!stream.closed) share = budget.open(refuse);
  };
}

function refuseStream(stream: ServerHttp2Stream): void {
  if (stream.headersSent || stream.destroyed) {
    stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM);
    return;
  }
  stream.respond(
    {
      ":status": 200,
      "content-type": "application/grpc",
      "grpc-status": String(status.RESOURCE_EXHAUSTED),
      "grpc-message": BODIES_OVERLOADED,
    },
    { endStream: true },
  );
  // Another code would overtake the answer.
  stream.close(constants.NGHTTP2_NO_ERROR);
}

function streamOf(call: object): object {
  const inner: unknown = Reflect.get(call, "call");
  const stream: unknown = typeof inner === "object" && inner !== null ? Reflect.get(inner, "stream") : null;
  if (typeof stream !== "object" || stream === null)
    throw new Error("@grpc/grpc-js: expected the HTTP/2 stream of a call, found none");
  return stream;
}
