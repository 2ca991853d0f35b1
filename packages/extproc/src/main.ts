#!/usr/bin/env node
import { adapterEnvironment } from "@svc/decision-client/adapter-environment";
import { runOptions } from "@svc/process/run-options";
import { runUntilSignal } from "@svc/process/run-until-signal";
import { extprocEnvironment } from "./extproc-environment.ts";
import { startExtproc } from "./start-extproc.ts";

const MAIN = ".tools/bin/node packages/extproc/dist/main.js";

const options = runOptions({
  name: "svc-extproc",
  summary: "asks the gateway for Envoy and other proxies that speak external processing over gRPC",
  examples: [
    "npm run build",
    `SVC_EXTPROC_CONFIG=envoy/routes.yaml ${MAIN}`,
    `SVC_AGENT_ID=my-agent SVC_API_KEY_FILE=/run/secrets/svc-key ${MAIN}`,
  ],
  table: { ...adapterEnvironment, ...extprocEnvironment },
});
if (options !== null) await runUntilSignal("svc-extproc", () => startExtproc(process.env));
