import { formatApiKey } from "@svc/control-plane/api-key";
import type { ControlPlanePorts } from "@svc/control-plane/ports";
import { systemClock } from "@svc/process/clock";
import { createLogOutput } from "@svc/process/log-output";
import { logStart } from "@svc/process/log-start";
import type { Running } from "@svc/process/run-until-signal";
import { ShutdownStack } from "@svc/process/shutdown-stack";
import { withoutUnknown } from "@svc/process/unknown-variables";
import { pino } from "pino";
import { loadDemoPolicy } from "./demo-policy.ts";
import { endProcess } from "./end-process.ts";
import { EVERY_VARIABLE } from "./every-variable.ts";
import { nameVariable } from "./name-variable.ts";
import { printDecisions } from "./print-decisions.ts";
import { renderAddresses, renderThreeCalls, STOP_LINE } from "./render-addresses.ts";
import { readSettings, type ServerSettings } from "./settings.ts";
import { type RunningAdapters, startAdapters } from "./start-adapters.ts";
import { type RunningServer, startServer } from "./start-server.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export interface StartEverythingOptions {
  readonly withDemo: boolean;
  readonly env: Environment;
  readonly print: (text: string) => void;
  /** Whether the output is a terminal. Then each decision is printed as a line. */
  readonly isTerminal: boolean;
}

/** Defaults for trying the service out. The environment overrides them. */
const DEFAULTS: Environment = { SVC_AUTH: "off", SVC_LOG_LEVEL: "info" };

/**
 * One process to try everything: gateway, control endpoints and the adapters on loopback, with a
 * demonstration policy; with `--demo` also the proxies in front of the adapters and the tools behind them.
 * @throws naming what could not be started; nothing is left running then.
 */
export async function startEverything(options: StartEverythingOptions): Promise<Running> {
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
  const { server, adapters, settings } = await startService(start);
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
  const { server, adapters, settings } = await startService(
    { ...start, env: { ...env, ...stage.env } },
    stage,
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

interface Service {
  readonly server: RunningServer;
  readonly adapters: RunningAdapters;
  readonly settings: ServerSettings;
}

/** Starts the gateway before it loads the adapters, so that their dependencies do not delay it. */
async function startService(
  { env, print, isTerminal, layers }: Start,
  { mcpEnv = {} }: { readonly mcpEnv?: Environment } = {},
): Promise<Service> {
  const settings = readSettings(env);
  const log = pino({ name: "svc-server", level: settings.logLevel }, createLogOutput());
  logStart(log, EVERY_VARIABLE, env);
  const onAdminKey = (path: string): void => print(`admin key written to ${path}\n`);
  const onVerdict = isTerminal ? printDecisions({ print, now: () => systemClock.now() }) : undefined;
  const server = await nameVariable(
    { variables: ["SVC_LISTEN"], env },
    startServer({ settings, log, onAdminKey, onVerdict, onFailure: endProcess }),
  );
  layers.add(server);
  // Otherwise the first calls could be denied because the policy is still being compiled.
  await (await server.roles).untilPoliciesLoaded();
  const { bootstrapKey } = settings;
  const ownKey = bootstrapKey === null ? {} : { SVC_API_KEY: formatApiKey(bootstrapKey) };
  // The server has warned of variables that no program reads. Without this the adapters would
  // repeat the warning.
  const known = withoutUnknown(env, EVERY_VARIABLE);
  const adapterEnv = { ...ownKey, ...known, SVC_GATEWAY_URL: server.url };
  const adapters = await startAdapters(adapterEnv, { ...adapterEnv, ...mcpEnv });
  layers.add(adapters);
  return { server, adapters, settings };
}
