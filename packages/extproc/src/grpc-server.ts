import { once } from "node:events";
import {
  type Metadata,
  Server,
  type ServerCredentials,
  type ServerDuplexStream,
  status,
} from "@grpc/grpc-js";
import { type BodyBudget, PROCESS_BODIES } from "@svc/http-edge/body-budget";
import { ConnectionGate } from "@svc/http-edge/connections/connection-gate";
import { ListenError } from "@svc/http-edge/listen";
import { guardConnections } from "./guard-connections.ts";
import { createHealthService } from "./health-service.ts";
import { raiseResetLimit } from "./raise-reset-limit.ts";
import type { ServedStream, StreamCall } from "./serve-stream.ts";
import { budgetStreams, type GiveBack } from "./stream-budget.ts";
import { loadServices } from "./wire/load-services.ts";
import type { WireRequest } from "./wire/processing-request.ts";
import type { WireResponse } from "./wire/processing-response.ts";

/**
 * Largest message in bytes. It is well above the largest judged body, so that a verdict refuses a larger body
 * and not a broken stream.
 */
const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

/** Streams of one connection at once, as count. Envoy opens one for each request that it works on. */
const MAX_STREAMS = 10_000;

const SERVICE = "envoy.service.ext_proc.v3.ExternalProcessor";

/** Initial metadata of a stream, its binary members left out. */
export type StreamMetadata = ReadonlyMap<string, readonly string[]>;

export type OpenStream = (call: StreamCall, metadata: StreamMetadata) => ServedStream;

export interface GrpcServer {
  readonly port: number;
  /** Refuses pending requests, lets the other streams finish for at most `graceMs`, then ends them. */
  close(graceMs: number): Promise<void>;
}

export interface GrpcListen {
  readonly host: string;
  readonly port: number;
  readonly credentials: ServerCredentials;
  /** The budget of the process when absent. */
  readonly budget?: BodyBudget;
  /** Bounds the connections. One with the default limits when absent. */
  readonly gate?: ConnectionGate;
}

type ProcessCall = ServerDuplexStream<WireRequest, WireResponse>;

/** Serves external processing and its health. @throws when the address cannot be taken, naming it. */
export async function startGrpcServer(
  { host, port, credentials, budget = PROCESS_BODIES, gate = new ConnectionGate() }: GrpcListen,
  open: OpenStream,
): Promise<GrpcServer> {
  const server = new Server({
    "grpc.max_receive_message_length": MAX_MESSAGE_BYTES,
    "grpc.max_send_message_length": MAX_MESSAGE_BYTES,
    "grpc.max_concurrent_streams": MAX_STREAMS,
    // Channelz stays on although nobody reads it. Without it the library does not track its connections, and
    // closing would wait forever for a proxy that keeps one.
    "grpc.enable_channelz": 1,
  });
  raiseResetLimit(server);
  const health = createHealthService(SERVICE);
  const streams = new Set<ServedStream>();
  const services = loadServices();
  let giveBackOf: (call: object) => GiveBack = () => () => {};
  server.addService(services.health, { Check: health.check, Watch: health.watch });
  server.addService(services.externalProcessor, {
    Process: (call: ProcessCall) => attach(call, open, { streams, giveBackOf }),
  });
  const address = `${host.includes(":") ? `[${host}]` : host}:${String(port)}`;
  const bound = await bind(server, address, credentials);
  giveBackOf = budgetStreams(server, budget);
  guardConnections(server, gate);
  return {
    port: bound,
    close: async (graceMs) => {
      health.stopServing();
      for (const stream of streams) stream.shutDown();
      await shutDown(server, graceMs);
    },
  };
}

interface Served {
  readonly streams: Set<ServedStream>;
  readonly giveBackOf: (call: object) => GiveBack;
}

function attach(call: ProcessCall, open: OpenStream, { streams, giveBackOf }: Served): void {
  const giveBack = giveBackOf(call);
  const port = portOf(call);
  const send = (response: WireResponse): void => {
    port.send(response);
    // A message that has its verdict is held no longer.
    if (!stream.owesVerdict()) giveBack();
  };
  const stream = open({ ...port, send }, metadataOf(call.metadata));
  streams.add(stream);
  call.on("data", (message: WireRequest) => stream.onMessage(message));
  call.on("end", () => stream.onHalfClose());
  // Envoy resets the streams that it has finished. This is an ordinary end, and the last event of a stream.
  call.on("cancelled", () => stream.onCancelled());
  call.on("close", () => streams.delete(stream));
}

function portOf(call: ProcessCall): StreamCall {
  return {
    send: (response) => {
      if (call.cancelled || call.writableEnded) return;
      if (call.write(response) || call.isPaused()) return;
      // The proxy reads more slowly than it writes, so nothing more is read until it has caught up.
      call.pause();
      once(call, "drain").then(
        () => call.resume(),
        () => {},
      );
    },
    end: () => call.end(),
    fail: (details) => {
      call.emit("error", { code: status.INTERNAL, details });
    },
  };
}

function metadataOf(metadata: Metadata): StreamMetadata {
  const names = Object.keys(metadata.getMap());
  const texts = (name: string): string[] => metadata.get(name).filter((value) => typeof value === "string");
  return new Map(names.map((name) => [name, texts(name)]));
}

function bind(server: Server, address: string, credentials: ServerCredentials): Promise<number> {
  return new Promise((resolve, reject) => {
    server.bindAsync(address, credentials, (error, port) => {
      if (error === null) resolve(port);
      else reject(new ListenError(address, error));
    });
  });
}

async function shutDown(server: Server, graceMs: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => server.forceShutdown(), graceMs);
  server.tryShutdown(() => resolve(undefined));
  await promise;
  clearTimeout(timer);
}
