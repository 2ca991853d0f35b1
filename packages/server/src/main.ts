#!/usr/bin/env node
import { createLogOutput } from "@svc/process/log-output";
import { logStart } from "@svc/process/log-start";
import { runOptions } from "@svc/process/run-options";
import { runUntilSignal } from "@svc/process/run-until-signal";
import { pino } from "pino";
import { SERVER_ENVIRONMENT } from "./settings/server-environment.ts";
import { readSettings } from "./settings/settings.ts";
import { endProcess } from "./start/end-process.ts";
import { type RunningServer, startServer } from "./start/start-server.ts";

const ROTATE = "--rotate-secrets";

const options = runOptions({
  name: "svc-server",
  summary: "decides about the tool calls of agents, keeps the audit log and serves the control API",
  examples: [
    "npm run build",
    "SVC_DATA_DIR=/var/lib/svc .tools/bin/node packages/server/dist/main.js",
    "SVC_AUTH=off SVC_LISTEN=127.0.0.1:8080 .tools/bin/node packages/server/dist/main.js",
  ],
  options: {
    [ROTATE]: "encrypt stored secrets with new keys, and exit; an embedded store must not be in use",
  },
  table: SERVER_ENVIRONMENT,
});
if (options?.has(ROTATE) === true) await rotate();
else if (options !== null) await runUntilSignal("svc-server", start);

async function rotate(): Promise<void> {
  try {
    const { renderRotation, rotateSecrets } = await import("./secrets/rotate-secrets.ts");
    process.stdout.write(renderRotation(await rotateSecrets(readSettings(process.env))));
  } catch (error) {
    process.stderr.write(`svc-server: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}

async function start(): Promise<RunningServer> {
  const settings = readSettings(process.env);
  const log = pino({ name: "svc-server", level: settings.logLevel }, createLogOutput(settings.logFormat));
  logStart(log, SERVER_ENVIRONMENT, process.env);
  const onAdminKey = (path: string): void => void process.stderr.write(`admin key written to ${path}\n`);
  const server = await startServer({ settings, log, onAdminKey, onFailure: endProcess });
  log.info({ url: server.url }, "listening");
  return server;
}
