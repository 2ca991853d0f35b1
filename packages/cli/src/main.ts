#!/usr/bin/env node
import { runCli } from "./run-cli.ts";

process.exitCode = await runCli(process.argv.slice(2), {
  environment: process.env,
  stdin: process.stdin,
  writeOut: (text) => process.stdout.write(text),
  writeError: (text) => process.stderr.write(text),
  errorIsTerminal: process.stderr.isTTY,
});
