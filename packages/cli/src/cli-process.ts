import { runCli } from "./run-cli.ts";

// A reader that has seen enough, such as `head`, is not a fault. With any other error the result is lost.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

/**
 * `npm run svc-cli` runs in the folder of its package.json. npm passes the folder of the caller in INIT_CWD.
 */
const calledBy = process.env["npm_lifecycle_event"] === "svc-cli" ? process.env["INIT_CWD"] : undefined;

function onInterrupt(end: () => void): () => void {
  const signals = ["SIGINT", "SIGTERM"] as const;
  for (const signal of signals) process.on(signal, end);
  return () => {
    for (const signal of signals) process.off(signal, end);
  };
}

function onOutClosed(end: () => void): () => void {
  process.stdout.on("error", end);
  return () => void process.stdout.off("error", end);
}

process.exitCode = await runCli(process.argv.slice(2), {
  environment: process.env,
  workingDirectory: calledBy ?? process.cwd(),
  stdin: process.stdin,
  inputIsTerminal: process.stdin.isTTY,
  writeOut: (text) => process.stdout.write(text),
  writeError: (text) => process.stderr.write(text),
  outIsTerminal: process.stdout.isTTY,
  errorIsTerminal: process.stderr.isTTY,
  onInterrupt,
  onOutClosed,
  outSize: () => ({ columns: process.stdout.columns, rows: process.stdout.rows }),
});
