import type { Command } from "commander";
import { pathOf } from "../frame/explain-usage.ts";
import { makeProgram } from "../program.ts";

interface NamedCommand {
  /** `svc-cli compliance audit-verify` */
  readonly path: string;
  /** The same without the program. */
  readonly words: readonly string[];
  readonly command: Command;
}

/** The hook of a coding agent prints its own help: it has an own door to the program. */
const OWN_HELP = "svc-cli hook claude-code";

/** Every command, the program first. */
export function everyCommand(): readonly NamedCommand[] {
  const ignore = () => undefined;
  const terminal = {
    environment: {},
    workingDirectory: "/",
    stdin: (async function* () {})(),
    writeOut: ignore,
    writeError: ignore,
    errorIsTerminal: false,
  };
  return withChildren(makeProgram(terminal, ignore))
    .map((command) => ({ path: pathOf(command), words: pathOf(command).split(" ").slice(1), command }))
    .filter(({ path }) => path !== OWN_HELP);
}

function withChildren(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(withChildren)];
}
