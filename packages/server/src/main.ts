#!/usr/bin/env node
import { runUntilSignal } from "@svc/http-edge/run-until-signal";
import { pino } from "pino";
import { readSettings } from "./settings.ts";
import { startServer } from "./start-server.ts";

await runUntilSignal("svc-server", async () => {
  const settings = readSettings(process.env);
  const log = pino({ name: "svc-server", level: settings.logLevel });
  const showKey = (apiKey: string): void => {
    process.stderr.write(`admin key, shown only this once: ${apiKey}\n`);
  };
  const server = await startServer({ settings, log, showKey });
  log.info({ url: server.url }, "listening");
  return server;
});
