#!/usr/bin/env node
import { runUntilSignal } from "@svc/http-edge/run-until-signal";
import { startEverything } from "./start-everything.ts";

await runUntilSignal("svc", () =>
  startEverything({
    args: process.argv.slice(2),
    env: process.env,
    print: (text) => process.stdout.write(text),
  }),
);
