#!/usr/bin/env node
import { runUntilSignal } from "@svc/http-edge/run-until-signal";
import { startMcpProxy } from "./start-mcp-proxy.ts";

await runUntilSignal("svc-mcp-proxy", () => startMcpProxy(process.env));
