import { formatApiKey } from "@svc/control-plane/api-key";
import { createLogOutput } from "@svc/process/log-output";
import { logStart } from "@svc/process/log-start";
import type { ShutdownStack } from "@svc/process/shutdown-stack";
import { withoutUnknown } from "@svc/process/unknown-variables";
import { pino } from "pino";
import { EVERY_VARIABLE } from "../settings/every-variable.ts";
import { nameVariable } from "../settings/name-variable.ts";
import { readSettings, type ServerSettings } from "../settings/settings.ts";
import type { OnVerdict } from "../trial/print-decisions.ts";
import { endProcess } from "./end-process.ts";
import { type RunningAdapters, startAdapters } from "./start-adapters.ts";
import { type RunningServer, startServer } from "./start-server.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export interface ServerAndAdaptersOptions {
  readonly env: Environment;
  /** Variables of the MCP proxy alone. They win over `env`. */
  readonly mcpEnv?: Environment;
  /** Called with the path of the file that holds a new admin key. */
  readonly onAdminKey: (path: string) => void;
  readonly onVerdict?: OnVerdict | undefined;
}

/** The server and the adapters in one process. */
export interface ServerAndAdapters {
  readonly server: RunningServer;
  readonly adapters: RunningAdapters;
  readonly settings: ServerSettings;
}

/**
 * Starts the gateway before it loads the adapters, so that their dependencies do not delay it. What was
 * started stands in `layers`. @throws naming what could not be started.
 */
export async function startServerAndAdapters(
  options: ServerAndAdaptersOptions,
  layers: ShutdownStack,
): Promise<ServerAndAdapters> {
  const { env, mcpEnv = {}, onAdminKey, onVerdict } = options;
  const settings = readSettings(env);
  const log = pino({ name: "svc-server", level: settings.logLevel }, createLogOutput(settings.logFormat));
  logStart(log, EVERY_VARIABLE, env);
  const server = await nameVariable(
    { variables: ["SVC_LISTEN"], env },
    startServer({ settings, log, onAdminKey, onVerdict, onFailure: endProcess }),
  );
  layers.add(server);
  // Otherwise the first calls could be denied because the policy is still being compiled.
  await (await server.roles).untilPoliciesTried();
  const { bootstrapKey } = settings;
  const ownKey = bootstrapKey === null ? {} : { SVC_API_KEY: formatApiKey(bootstrapKey) };
  // The server has warned of variables that no program reads. Without this the adapters would
  // repeat the warning.
  const known = withoutUnknown(env, EVERY_VARIABLE);
  const isTls = server.url.startsWith("https:");
  // The name in the certificate may be another than the address of the listener.
  const gatewayUrl = (isTls ? env["SVC_GATEWAY_URL"] : undefined) ?? server.url;
  const adapterEnv = { ...ownKey, ...known, SVC_GATEWAY_URL: gatewayUrl };
  const adapters = await startAdapters(adapterEnv, { ...adapterEnv, ...mcpEnv });
  layers.add(adapters);
  return { server, adapters, settings };
}
