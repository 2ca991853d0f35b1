import type { ControlPlanePorts } from "@svc/control-plane/ports";
import { systemClock } from "@svc/process/clock";
import type { Running } from "@svc/process/run-until-signal";
import { ShutdownStack } from "@svc/process/shutdown-stack";
import { loadDemoPolicy } from "../demo-policy.ts";
import type { RunningServer } from "../start/start-server.ts";
import { type ServerAndAdapters, startServerAndAdapters } from "../start/start-server-and-adapters.ts";
import { printDecisions } from "./print-decisions.ts";
import { renderAddresses, renderThreeCalls, STOP_LINE } from "./render-addresses.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export interface TrialOptions {
  readonly withDemo: boolean;
  readonly env: Environment;
  readonly print: (text: string) => void;
  /** Whether the output is a terminal. Then each decision is printed as a line. */
  readonly isTerminal: boolean;
}

/**
 * Defaults for trying the service out. The environment overrides them. The table that a start prints has the
 * addresses that the log has at info. Most MCP clients of today name no session, and the demonstration
 * policy limits sessions.
 */
const DEFAULTS: Environment = {
  SVC_AUTH: "off",
  SVC_LOG_LEVEL: "warn",
  SVC_MCP_SESSION_FALLBACK: "client",
};

/**
 * One process to try everything: gateway, control endpoints and the adapters on loopback, with a
 * demonstration policy; with `--demo` also the proxies in front of the adapters and the tools behind them.
 * @throws naming what could not be started; nothing is left running then.
 */
export async function startTrial(options: TrialOptions): Promise<Running> {
  const { withDemo, env, print, isTerminal } = options;
  const layers = new ShutdownStack();
  try {
    const start = { env: { ...DEFAULTS, ...env }, print, isTerminal, layers };
    await (withDemo ? startDemo : startPlain)(start);
    print(STOP_LINE);
    return layers;
  } catch (error) {
    await layers.close();
    throw error;
  }
}

interface Start {
  readonly env: Environment;
  readonly print: (text: string) => void;
  readonly isTerminal: boolean;
  readonly layers: ShutdownStack;
}

async function startPlain(start: Start): Promise<void> {
  const { server, adapters, settings } = await serviceOf(start);
  const loaded = await loadDemoPolicy(await controlPlaneOf(server));
  start.print(renderAddresses({ url: server.url, adapters, dataDir: settings.dataDir, loaded }));
  start.print(renderThreeCalls(server.url));
}

async function startDemo(start: Start): Promise<void> {
  const { env, print, layers } = start;
  // Loaded only here, so that an ordinary start does not load it.
  const { openStage } = await import("./demo-stage.ts");
  const stage = await openStage(print);
  layers.add(stage);
  const { server, adapters, settings } = await serviceOf(
    { ...start, env: { ...env, ...stage.env } },
    stage.mcpEnv,
  );
  await stage.loadPolicies(await controlPlaneOf(server));
  const proxies = await stage.startProxies({ env, adapters });
  layers.add(proxies);
  print(renderAddresses({ url: server.url, adapters, dataDir: settings.dataDir, loaded: true }));
  print(stage.renderCalls({ gatewayUrl: server.url, adapters, proxies }));
}

async function controlPlaneOf({ roles }: RunningServer): Promise<ControlPlanePorts> {
  const { controlPlane } = await roles;
  if (controlPlane !== null) return controlPlane;
  throw new Error("SVC_ROLE: expected all with npm start, which loads a policy; found gateway");
}

/** What `npm start` shows of the service. */
function serviceOf(
  { env, print, isTerminal, layers }: Start,
  mcpEnv: Environment = {},
): Promise<ServerAndAdapters> {
  const onAdminKey = (path: string): void => print(`admin key written to ${path}\n`);
  const onVerdict = isTerminal ? printDecisions({ print, now: () => systemClock.now() }) : undefined;
  return startServerAndAdapters({ env, mcpEnv, onAdminKey, onVerdict }, layers);
}
