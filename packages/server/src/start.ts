#!/usr/bin/env node
import { runOptions } from "@svc/process/run-options";
import { runUntilSignal } from "@svc/process/run-until-signal";
import { EVERY_VARIABLE } from "./settings/every-variable.ts";
import { startTrial } from "./trial/start-trial.ts";

const DEMO = "--demo";

const options = runOptions({
  name: "npm start",
  helpCommand: "npm start -- --help",
  summary: "runs the server and the adapters in one process, with a demonstration policy, to try things out",
  examples: [
    "npm start",
    `npm start -- ${DEMO}`,
    "SVC_AGENT_ID=my-agent SVC_MCP_UPSTREAM_URL=http://127.0.0.1:3001/mcp npm start",
  ],
  options: { [DEMO]: "also start an MCP server, Envoy and nginx, and show calls for each" },
  // The value that this command uses when the variable is not set.
  table: { ...EVERY_VARIABLE, SVC_AUTH: { ...EVERY_VARIABLE.SVC_AUTH, defaultText: "off" } },
});
if (options !== null) {
  await runUntilSignal("svc", () =>
    startTrial({
      withDemo: options.has(DEMO),
      env: process.env,
      print: (text) => process.stdout.write(text),
      isTerminal: process.stdout.isTTY,
    }),
  );
}
