#!/usr/bin/env node
import { runUntilSignal } from "@svc/http-edge/run-until-signal";
import { startCheckgw } from "./start-checkgw.ts";

await runUntilSignal("svc-checkgw", () => startCheckgw(process.env));
