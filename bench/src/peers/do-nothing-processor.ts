// An external processor that answers CONTINUE to everything: what the gRPC library costs without a verdict.
// With a gateway as its argument it sends each body there before it lets it pass, and looks at no answer.
import { Agent } from "node:http";
import { join } from "node:path";
import {
  loadPackageDefinition,
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  type ServiceClientConstructor,
} from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import { postJson } from "./post-json.ts";

const PROTO = join(import.meta.dirname, "..", "..", "..", "proto", "ext_proc.proto");

/** Envoy resets every stream that it is done with; Node's own limit would take that for an attack. */
const STREAM_RESETS = { streamResetBurst: 1_000_000, streamResetRate: 1_000_000 };

const gateway = process.argv[2] ?? null;
const agent = new Agent({ keepAlive: true });

interface ProxyMessage {
  /** Which member is set. */
  readonly request?: string;
  readonly request_body?: { readonly body?: Buffer };
}

type Stream = ServerDuplexStream<ProxyMessage, object>;

function serve(stream: Stream, { request, request_body: part }: ProxyMessage): void {
  if (request === undefined) return;
  const pass = (): void => {
    stream.write({ [request]: request.endsWith("trailers") ? {} : { response: {} } });
  };
  if (gateway === null || part === undefined || part === null) pass();
  else postJson(`${gateway}/api/v1/gateway/execute`, part.body ?? Buffer.alloc(0), agent, pass);
}

const proto: unknown = loadPackageDefinition(
  loadSync(PROTO, { keepCase: true, longs: String, enums: String, defaults: false, oneofs: true }),
);
const { envoy } = proto as {
  envoy: { service: { ext_proc: { v3: { ExternalProcessor: ServiceClientConstructor } } } };
};

const server = new Server({ "grpc.max_concurrent_streams": 10_000, "grpc.enable_channelz": 0 });
Object.assign(Reflect.get(server, "commonServerOptions") as object, STREAM_RESETS);
server.addService(envoy.service.ext_proc.v3.ExternalProcessor.service, {
  Process: (stream: Stream) => {
    stream.on("data", (message: ProxyMessage) => serve(stream, message));
    stream.on("end", () => stream.end());
    stream.on("error", () => {});
  },
});
server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
  if (error !== null) throw error;
  process.stdout.write(`listening http://127.0.0.1:${port}\n`);
});
process.once("SIGTERM", () => server.forceShutdown());
