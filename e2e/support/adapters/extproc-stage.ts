import { type ConfigurationChange, type RunningEnvoy, startEnvoy } from "../proxies/envoy-process.ts";
import { startWatchingBackend, type WatchingBackend } from "../proxies/watching-backend.ts";
import { type RunningExtproc, startExtproc } from "./extproc-process.ts";
import { DENY, verdict } from "./gateway-verdicts.ts";
import { type RecordingServer, startRecordingServer } from "./recording-server.ts";

/** Client, Envoy, processor, gateway and backend, all but the client and the gateway real. */
export interface ExtprocStage {
  readonly gateway: RecordingServer;
  readonly backend: WatchingBackend;
  readonly extproc: RunningExtproc;
  readonly envoy: RunningEnvoy;
  /** The calls that the gateway was asked about. */
  readonly asked: () => readonly unknown[];
  /** Nothing was asked or seen yet, and the gateway denies. */
  readonly reset: () => void;
  readonly close: () => Promise<void>;
}

export interface StageOptions {
  readonly changes?: readonly ConfigurationChange[];
  readonly env?: Readonly<Record<string, string>>;
  /** Replaces the shipped one. */
  readonly configuration?: string;
}

export async function startStage({
  changes = [],
  env = {},
  configuration,
}: StageOptions = {}): Promise<ExtprocStage> {
  const gateway = await startRecordingServer(verdict(DENY));
  const backend = await startWatchingBackend();
  const extproc = await startExtproc(`http://127.0.0.1:${String(gateway.port)}`, env);
  const peers = { extprocPort: extproc.port, backendPort: backend.port };
  const envoy = await startEnvoy(peers, changes, configuration);
  return {
    gateway,
    backend,
    extproc,
    envoy,
    asked: () => gateway.requests.map(({ body }) => JSON.parse(body) as unknown),
    reset: () => {
      gateway.respondWith(verdict(DENY));
      gateway.forget();
      backend.forget();
    },
    close: async () => {
      await envoy.stop();
      await extproc.stop("SIGKILL");
      await gateway.close();
      await backend.close();
    },
  };
}

export interface ClientAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

export interface ClientRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends a request through Envoy as an ordinary client. */
export async function sendThrough(
  envoy: RunningEnvoy,
  path: string,
  { method = "POST", headers = {}, body }: ClientRequest = {},
): Promise<ClientAnswer> {
  const response = await fetch(`http://127.0.0.1:${String(envoy.port)}${path}`, {
    method,
    headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
    ...(body === undefined ? {} : { body }),
  });
  return { status: response.status, headers: response.headers, body: await response.text() };
}
