import { join } from "node:path";
import {
  loadPackageDefinition,
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  type ServiceClientConstructor,
} from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";

const PROTO = join(import.meta.dirname, "..", "..", "..", "proto", "ext_proc.proto");
const AS_SENT = { keepCase: true, longs: String, enums: String, defaults: false, oneofs: true } as const;

/** A message of the proxy as decoded: `request` names its kind. */
export interface ProxyMessage {
  readonly request?: string;
}

export type ProcessorStream = ServerDuplexStream<ProxyMessage, object>;

/** Loads the constructor of a client of the processing service. */
export function loadProcessorClient(): ServiceClientConstructor {
  const root: unknown = loadPackageDefinition(loadSync(PROTO, AS_SENT));
  const { envoy } = root as {
    envoy: { service: { ext_proc: { v3: { ExternalProcessor: ServiceClientConstructor } } } };
  };
  return envoy.service.ext_proc.v3.ExternalProcessor;
}

/** A processor that does whatever the script says, right or wrong. */
export interface ScriptedProcessor {
  readonly port: number;
  close(): void;
}

export async function startScriptedProcessor(
  script: (message: ProxyMessage, stream: ProcessorStream) => void,
): Promise<ScriptedProcessor> {
  const server = new Server();
  server.addService(loadProcessorClient().service, {
    Process: (stream: ProcessorStream) => {
      stream.on("data", (message: ProxyMessage) => script(message, stream));
      stream.on("error", () => {});
    },
  });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) => {
      if (error === null) resolve(bound);
      else reject(error);
    });
  });
  return { port, close: () => server.forceShutdown() };
}
