import { EXIT_CODES, type ExitCode } from "./frame/exit-code.ts";
import type { Terminal } from "./frame/terminal.ts";
import { versionLine } from "./version/version-line.ts";

/** Runs one command line, without node and script name. Resolves to the exit code whatever happens. */
export async function runCli(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  // Scripts ask for the version often, and it needs nothing of the other commands.
  if (args.length === 1 && args[0] === "version") {
    terminal.writeOut(versionLine());
    return EXIT_CODES.ok;
  }
  const { runProgram } = await import("./run-program.ts");
  return runProgram(args, terminal);
}
