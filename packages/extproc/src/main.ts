#!/usr/bin/env node
import { runUntilSignal } from "@svc/http-edge/run-until-signal";
import { startExtproc } from "./start-extproc.ts";

await runUntilSignal("svc-extproc", () => startExtproc(process.env));
