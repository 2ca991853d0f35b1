#!/usr/bin/env node
import { adapterEnvironment } from "@svc/decision-client/adapter-environment";
import { runOptions } from "@svc/process/run-options";
import { runUntilSignal } from "@svc/process/run-until-signal";
import { checkgwEnvironment } from "./checkgw-environment.ts";
import { startCheckgw } from "./start-checkgw.ts";

const MAIN = ".tools/bin/node packages/checkgw/dist/main.js";

const options = runOptions({
  name: "svc-checkgw",
  summary: "asks the gateway for HTTP auth hooks of proxies and for guardrail webhooks of LLM gateways",
  examples: [
    "npm run build",
    `SVC_API_KEY_FILE=/run/secrets/svc-key ${MAIN}`,
    `SVC_AGENT_ID=my-agent SVC_GATEWAY_URL=http://127.0.0.1:8080 ${MAIN}`,
  ],
  table: { ...adapterEnvironment, ...checkgwEnvironment },
});
if (options !== null) await runUntilSignal("svc-checkgw", () => startCheckgw(process.env));
