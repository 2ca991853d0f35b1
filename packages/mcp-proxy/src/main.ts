#!/usr/bin/env node
import { adapterEnvironment } from "@svc/decision-client/adapter-environment";
import { runOptions } from "@svc/process/run-options";
import { runUntilSignal } from "@svc/process/run-until-signal";
import { mcpProxyEnvironment } from "./mcp-proxy-environment.ts";
import { startMcpProxy } from "./start-mcp-proxy.ts";

const MAIN = ".tools/bin/node packages/mcp-proxy/dist/main.js";

const options = runOptions({
  name: "svc-mcp-proxy",
  summary: "stands in front of an MCP server and asks the gateway about each tool call",
  examples: [
    "npm run build",
    `SVC_AGENT_ID=my-agent SVC_MCP_UPSTREAM_URL=http://127.0.0.1:3001/mcp ${MAIN}`,
    `SVC_AGENT_ID=my-agent SVC_MCP_ID=files SVC_MCP_UPSTREAM_URL=http://127.0.0.1:3001/mcp ${MAIN}`,
  ],
  table: { ...adapterEnvironment, ...mcpProxyEnvironment },
});
if (options !== null) await runUntilSignal("svc-mcp-proxy", () => startMcpProxy(process.env));
