import { CommanderError } from "commander";
import { CommandFailure, EXIT_CODES, type ExitCode } from "./frame/exit-code.ts";
import { errorLine, shownText } from "./frame/explain-usage.ts";
import type { Terminal } from "./frame/terminal.ts";
import { makeProgram } from "./program.ts";

/** Runs one command line with every command at hand. Resolves to the exit code whatever happens. */
export async function runProgram(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  let exitCode: ExitCode = EXIT_CODES.defect;
  const program = makeProgram(terminal, (outcome) => (exitCode = EXIT_CODES[outcome]));
  try {
    // For a person `svc-cli | less` shows the help. A hook that forgot its command must let no call pass.
    const isLost = args.length === 0 && terminal.inputIsTerminal === true;
    await program.parseAsync(isLost ? ["--help"] : args, { from: "user" });
    return exitCode;
  } catch (error) {
    return explain(error, terminal);
  }
}

function explain(error: unknown, { writeError }: Terminal): ExitCode {
  // Commander has printed its own message, or the help that was asked for.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT_CODES.ok : EXIT_CODES.usage;
  if (error instanceof CommandFailure) {
    writeError(errorLine(error.message));
    return error.exitCode;
  }
  const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
  writeError(`defect: ${shownText(what)}\n`);
  return EXIT_CODES.defect;
}
