import { EXIT_CODES } from "./frame/exit-code.ts";
import { runCli } from "./run-cli.ts";

/** Why the output could not be written whole, such as a full disk. */
const faults = new Set<string>();

// A reader that has seen enough, such as `head`, is not a fault. With any other error the result is lost.
process.stdout.on("error", ({ code, message }: NodeJS.ErrnoException) => {
  if (code !== "EPIPE") faults.add(code ?? message);
});
// Nobody reads what could not be written here. The exit code still says how the command ended.
process.stderr.on("error", () => {});

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

const exitCode = await runCli(process.argv.slice(2), {
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

// The last write must have ended before it is known whether the output is whole.
await new Promise<void>((resolve) => {
  process.stdout.write("", () => resolve());
});
for (const fault of faults) process.stderr.write(`error: the output was not written whole: ${fault}\n`);
process.exitCode = faults.size > 0 && exitCode === EXIT_CODES.ok ? EXIT_CODES.defect : exitCode;
