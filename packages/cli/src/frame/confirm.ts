import { CommandFailure } from "./exit-code.ts";
import type { Terminal } from "./terminal.ts";

/**
 * Asks the person at the terminal. Where nobody can answer, the command needs --yes.
 * @throws CommandFailure `usage` when there is no terminal
 */
export async function confirm(
  question: string,
  { stdin, inputIsTerminal, writeError }: Terminal,
): Promise<boolean> {
  if (inputIsTerminal !== true)
    throw new CommandFailure("usage", "nobody can be asked here. Read the change above and pass --yes");
  writeError(`${question} [y/N] `);
  for await (const chunk of stdin) return /^y(?:es)?\s*$/i.test(Buffer.from(chunk).toString("utf8"));
  return false;
}
