import { startCheckgw } from "../adapters/checkgw-process.ts";
import { startExtproc } from "../adapters/extproc-process.ts";
import { missing } from "../processes/missing-peers.ts";
import { startEnvoy } from "./envoy-process.ts";
import { forwardAuthProxies } from "./forward-auth-proxies.ts";

/** Where the proxy's adapter asks, and where the proxy sends what it lets pass. */
export interface GovernedPeers {
  readonly gatewayPort: number;
  readonly backendPort: number;
}

export interface RunningGovernedProxy {
  readonly port: number;
  stop(): Promise<void>;
}

/** A proxy and its adapter as shipped: GET /orders is the tool orders.read, POST /refunds payments.refund. */
export interface GovernedProxy {
  readonly name: string;
  /** Why its tests cannot run; null: they can. */
  missing(): string | null;
  start(peers: GovernedPeers): Promise<RunningGovernedProxy>;
  /** Paths that the shipped configuration passes without a question. */
  readonly ungoverned: readonly string[];
}

const gatewayUrl = (port: number): string => `http://127.0.0.1:${String(port)}`;

const hooks: readonly GovernedProxy[] = forwardAuthProxies.map((proxy) => ({
  name: proxy.name,
  missing: proxy.missing,
  ungoverned: [],
  start: async ({ gatewayPort, backendPort }) => {
    const checkgw = await startCheckgw(gatewayUrl(gatewayPort));
    const running = await proxy.start({ checkgwPort: checkgw.port, backendPort });
    const stop = async (): Promise<void> => {
      await running.stop();
      await checkgw.stop("SIGKILL");
    };
    return { port: running.port, stop };
  },
}));

const envoy: GovernedProxy = {
  name: "envoy",
  missing: () => missing.envoy,
  ungoverned: ["/healthz", "/docs/a"],
  start: async ({ gatewayPort, backendPort }) => {
    const extproc = await startExtproc(gatewayUrl(gatewayPort));
    const running = await startEnvoy({ extprocPort: extproc.port, backendPort });
    const stop = async (): Promise<void> => {
      await running.stop();
      await extproc.stop("SIGKILL");
    };
    return { port: running.port, stop };
  },
};

/** Every proxy that a configuration is shipped for and that the tests can run. */
export const governedProxies: readonly GovernedProxy[] = [...hooks, envoy];
