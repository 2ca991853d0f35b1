#!/usr/bin/env node
import { startCheckgw } from "@svc/checkgw/start-checkgw";
import { runUntilSignal } from "@svc/http-edge/run-until-signal";
import { pino } from "pino";
import { formatApiKey } from "./api-key.ts";
import { loadDemoPolicy } from "./demo-policy.ts";
import { readSettings, type ServerSettings } from "./settings.ts";
import { startServer } from "./start-server.ts";
import { welcome } from "./welcome.ts";

/**
 * One process to try everything: gateway, control endpoints and svc-checkgw on loopback, with a demonstration
 * policy.
 */
await runUntilSignal("svc", async () => {
  const env = { SVC_AUTH: "off", SVC_LOG_LEVEL: "warn", ...process.env };
  const settings = readSettings(env);
  const log = pino({ name: "svc-server", level: settings.logLevel });
  const showKey = (apiKey: string): void => {
    process.stdout.write(`admin key, shown only this once: ${apiKey}\n`);
  };
  const server = await startServer({ settings, log, showKey });
  const { url } = server;
  const checkgw = await startCheckgw({ SVC_API_KEY: bootstrapKey(settings), ...env, SVC_GATEWAY_URL: url });
  const demo = await loadDemoPolicy(server.controlPlane);
  process.stdout.write(welcome({ url, checkgwUrl: checkgw.url, dataDir: settings.dataDir, demo }));
  return {
    close: async () => {
      await checkgw.close();
      await server.close();
    },
  };
});

function bootstrapKey({ bootstrapKey: key }: ServerSettings): string | undefined {
  return key === null ? undefined : formatApiKey(key);
}
