#!/usr/bin/env node
import { runOptions } from "@svc/process/run-options";
import { runUntilSignal } from "@svc/process/run-until-signal";
import { EVERY_VARIABLE } from "./settings/every-variable.ts";
import { startForDev } from "./start/start-for-dev.ts";

/** Milliseconds to close after the starter is gone: longer than requests in flight have. */
const CLOSE_MS = 10_000;

const options = runOptions({
  name: "svc-server-dev",
  summary: "what `svc-cli dev` starts: the server and the adapters, until stdin ends",
  examples: ["svc-cli dev --policies policies"],
  table: EVERY_VARIABLE,
});
if (options !== null) {
  // The pipe ends with the process that started this one, however that ended.
  process.stdin.resume().on("end", () => {
    process.kill(process.pid, "SIGTERM");
    setTimeout(() => process.exit(1), CLOSE_MS).unref();
  });
  await runUntilSignal("svc-server-dev", () =>
    startForDev(process.env, (addresses) =>
      process.stdout.write(`${JSON.stringify({ msg: "started for dev", ...addresses })}\n`),
    ),
  );
  // Otherwise an open pipe would keep the process alive after everything has closed.
  if ("unref" in process.stdin) process.stdin.unref();
}
