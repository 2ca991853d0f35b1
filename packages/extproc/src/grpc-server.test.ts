import { once } from "node:events";
import { type ClientHttp2Session, connect } from "node:http2";
import { connect as connectSocket, type Socket } from "node:net";
import {
  type ChannelOptions,
  Client,
  credentials,
  Metadata,
  makeClientConstructor,
  Server,
  ServerCredentials,
  type ServiceError,
  status,
} from "@grpc/grpc-js";
import { BodyBudget } from "@svc/http-edge/body-budget";
import { ConnectionGate } from "@svc/http-edge/connections/connection-gate";
import { afterEach, describe, expect, it } from "vitest";
import { type GrpcServer, type StreamMetadata, startGrpcServer } from "./grpc-server.ts";
import { raiseResetLimit } from "./raise-reset-limit.ts";
import type { ServedStream, StreamCall } from "./serve-stream.ts";
import { loadServices } from "./wire/load-services.ts";

/** More resets at once than Node's http2 takes by default before it closes the connection. */
const RESETS = 3_000;

const GRPC_HEAD = {
  ":method": "POST",
  ":path": "/envoy.service.ext_proc.v3.ExternalProcessor/Process",
  "content-type": "application/grpc",
  te: "trailers",
};

const LOOPBACK = { host: "127.0.0.1", credentials: ServerCredentials.createInsecure() };

interface Opened {
  readonly call: StreamCall;
  readonly metadata: StreamMetadata;
  readonly events: string[];
}

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function start(): Promise<{ server: GrpcServer; opened: Opened[] }> {
  const opened: Opened[] = [];
  const server = await startGrpcServer({ ...LOOPBACK, port: 0 }, (call, metadata): ServedStream => {
    const events: string[] = [];
    opened.push({ call, metadata, events });
    return {
      onMessage: (message) => events.push(`message ${String(message.request)}`),
      onHalfClose: () => events.push("half-close"),
      onCancelled: () => events.push("cancelled"),
      shutDown: () => call.fail("shut down"),
      owesVerdict: () => true,
    };
  });
  closing.push(() => server.close(0));
  return { server, opened };
}

function clientOf(
  service: "externalProcessor" | "health",
  port: number,
  options: ChannelOptions = {},
): Client {
  const ServiceClient = makeClientConstructor(loadServices()[service], service);
  const client = new ServiceClient(`127.0.0.1:${String(port)}`, credentials.createInsecure(), options);
  closing.push(() => client.close());
  return client;
}

interface ProcessClient {
  Process(metadata: Metadata): NodeJS.ReadWriteStream & { cancel(): void; write(message: object): void };
}

interface HealthClient {
  Check(request: object, done: (error: ServiceError | null, answer?: { status: string }) => void): void;
  Watch(request: object): NodeJS.ReadableStream;
}

describe("the gRPC server", () => {
  it("hands on messages, metadata and both ways of leaving", async () => {
    const { server, opened } = await start();
    const client = clientOf("externalProcessor", server.port) as unknown as ProcessClient;
    const metadata = new Metadata();
    metadata.add("svc-agent-id", "agent-1");
    const stream = client.Process(metadata);
    stream.on("error", () => {});
    stream.write({ request_headers: { end_of_stream: true } });
    stream.end();
    await expect.poll(() => opened[0]?.events).toEqual(["message request_headers", "half-close"]);
    expect(opened[0]?.metadata.get("svc-agent-id")).toEqual(["agent-1"]);
    stream.cancel();
    await expect.poll(() => opened[0]?.events.at(-1)).toBe("cancelled");
    opened[0]?.call.send({ request_headers: {} });
    opened[0]?.call.end();
  });

  it("fails with a status that is not OK, behind what was sent", async () => {
    const { server, opened } = await start();
    const stream = (clientOf("externalProcessor", server.port) as unknown as ProcessClient).Process(
      new Metadata(),
    );
    const seen: unknown[] = [];
    stream.on("data", (message) => seen.push(message));
    const failed = new Promise((resolve) => {
      stream.on("error", resolve);
    });
    stream.write({ request_headers: {} });
    await expect.poll(() => opened.length).toBe(1);
    opened[0]?.call.send({ immediate_response: { status: { code: 403 } } });
    opened[0]?.call.fail("no");
    expect(await failed).toMatchObject({ code: status.INTERNAL });
    expect(seen).toMatchObject([{ immediate_response: { status: { code: 403 } } }]);
  });

  it.each([
    ["bytes that are not a message", Buffer.from([0xff, 0xff, 0xff]), status.INTERNAL],
    ["a message over the limit", Buffer.alloc(5 * 1024 * 1024), status.RESOURCE_EXHAUSTED],
  ])("X1: %s end the stream with an error, and the next one is served", async (_, bytes, code) => {
    const { server, opened } = await start();
    const client = new Client(`127.0.0.1:${String(server.port)}`, credentials.createInsecure());
    closing.push(() => client.close());
    const path = "/envoy.service.ext_proc.v3.ExternalProcessor/Process";
    const asIs = (value: Buffer): Buffer => value;
    const send = (message: Buffer): Promise<unknown> => {
      const stream = client.makeBidiStreamRequest(path, asIs, asIs, {});
      stream.resume();
      stream.write(message);
      return new Promise((resolve) => {
        stream.on("error", resolve);
      });
    };
    expect(await send(bytes)).toMatchObject({ code });
    void send(Buffer.alloc(0));
    await expect.poll(() => opened[1]?.events).toEqual(["message undefined"]);
  });

  it("says that it serves, and on closing that it does not", async () => {
    const { server } = await start();
    const health = clientOf("health", server.port) as unknown as HealthClient;
    const check = (service: string): Promise<unknown> =>
      new Promise((resolve) => {
        health.Check({ service }, (error, answer) => resolve(error?.code ?? answer?.status));
      });
    expect(await check("")).toBe("SERVING");
    expect(await check("envoy.service.ext_proc.v3.ExternalProcessor")).toBe("SERVING");
    expect(await check("other")).toBe(status.NOT_FOUND);
    const statuses: string[] = [];
    const watching = health.Watch({});
    watching.on("data", (answer: { status: string }) => statuses.push(answer.status));
    await expect.poll(() => statuses).toEqual(["SERVING"]);
    await server.close(1_000);
    expect(statuses).toEqual(["SERVING", "NOT_SERVING"]);
  });

  it("ends when its time is over, also with a proxy that keeps its stream open", async () => {
    const { promise: arrived, resolve } = Promise.withResolvers<unknown>();
    const keeping = {
      onMessage: resolve,
      onHalfClose: () => {},
      onCancelled: () => {},
      shutDown: () => {},
      owesVerdict: () => true,
    };
    const server = await startGrpcServer({ ...LOOPBACK, port: 0 }, () => keeping);
    const client = clientOf("externalProcessor", server.port) as unknown as ProcessClient;
    const stream = client.Process(new Metadata());
    stream.resume();
    const dropped = once(stream, "error");
    stream.write({ request_headers: { headers: { headers: [] } } });
    await arrived;
    await server.close(100);
    expect(await dropped).toMatchObject([{ name: "Error" }]);
  });

  // proves FAIR-16
  it("refuses the stream that began first when messages that do not end hold too much", async () => {
    const budget = new BodyBudget(100_000);
    const nothing = (): void => {};
    const open = (): ServedStream => ({
      onMessage: nothing,
      onHalfClose: nothing,
      onCancelled: nothing,
      shutDown: nothing,
      owesVerdict: () => true,
    });
    const server = await startGrpcServer({ ...LOOPBACK, port: 0, budget }, open);
    closing.push(() => server.close(0));
    const session = connect(`http://127.0.0.1:${String(server.port)}`);
    closing.push(() => session.destroy());
    const unfinished = Buffer.concat([Buffer.from([0, 0, 16, 0, 0]), Buffer.alloc(40_000)]);
    const first = session.request(GRPC_HEAD);
    first.on("error", () => {});
    const answered = once(first, "response");
    first.write(unfinished);
    await expect.poll(() => budget.bytes).toBe(unfinished.length);
    const others = [session.request(GRPC_HEAD), session.request(GRPC_HEAD)];
    for (const other of others) other.on("error", () => {}).write(unfinished);
    expect((await answered)[0]).toMatchObject({ "grpc-status": "8" });
    await expect.poll(() => budget.bytes).toBe(2 * unfinished.length);
    for (const other of others) other.close(8);
    await expect.poll(() => budget.bytes).toBe(0);
  });

  it("keeps its connection through the resets that Envoy ends its streams with", async () => {
    const { server, opened } = await start();
    const session = connect(`http://127.0.0.1:${String(server.port)}`);
    closing.push(() => session.destroy());
    const closed: string[] = [];
    for (const event of ["goaway", "error", "close"]) session.on(event, () => closed.push(event));
    for (let sent = 0; sent < RESETS; sent += 100) await resetStreams(session, 100);
    expect(closed).toEqual([]);
    expect(opened.length).toBeGreaterThan(0);
  });

  it("refuses a library that keeps its HTTP/2 options elsewhere", () => {
    const server = new Server();
    Reflect.deleteProperty(server, "commonServerOptions");
    expect(() => raiseResetLimit(server)).toThrow(/commonServerOptions/);
  });
});

async function resetStreams(session: ClientHttp2Session, count: number): Promise<void> {
  const streams = Array.from({ length: count }, async () => {
    const stream = session.request(GRPC_HEAD);
    stream.on("error", () => {});
    if (stream.pending) await once(stream, "ready");
    const closed = once(stream, "close");
    stream.close(8);
    await closed;
  });
  await Promise.all(streams);
}

describe("connections", () => {
  // proves FAIR-20, FAIR-21
  it("that open no stream are few for one address, and leave the proxy its own", async () => {
    const gate = new ConnectionGate({ limits: { maxUnproven: 8, maxUnprovenPerAddress: 5, maxProven: 2 } });
    const server = await startGrpcServer({ ...LOOPBACK, port: 0, gate }, () => expect.unreachable());
    closing.push(() => server.close(0));
    const proxy = clientOf("health", server.port) as unknown as HealthClient;
    expect(await checked(proxy)).toBe("SERVING");
    expect(gate.held).toEqual({ proven: 1, unproven: 0 });
    const silent: Socket[] = [];
    closing.push(() => silent.forEach((socket) => socket.destroy()));
    for (let n = 0; n < 40; n += 1) {
      const socket = connectSocket({
        port: server.port,
        host: "127.0.0.1",
        localAddress: `127.0.0.${String(66 + (n % 4))}`,
      });
      silent.push(socket.on("error", () => undefined).resume());
      await once(socket, "connect");
    }
    await expect.poll(() => silent.filter(({ closed }) => !closed).length).toBe(8);
    expect(gate.closed.places).toBe(32);
    const next = clientOf("health", server.port, { "grpc.use_local_subchannel_pool": 1 });
    for (const client of [proxy, next as unknown as HealthClient])
      expect(await checked(client)).toBe("SERVING");
    expect(gate.held).toEqual({ proven: 2, unproven: 7 });
  });
});

function checked(client: HealthClient): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    client.Check({}, (error, answer) => (error === null ? resolve(answer?.status) : reject(error)));
  });
}
