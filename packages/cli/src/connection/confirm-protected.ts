import { CommandFailure } from "../frame/exit-code.ts";
import type { Terminal } from "../frame/terminal.ts";
import { requireTyped } from "../frame/typed-answer.ts";
import type { ReasonedOptions } from "./change-options.ts";
import type { Connection } from "./resolve-connection.ts";

/**
 * A change of a protected environment goes on after its name was typed, or with `--yes`.
 * @throws CommandFailure `failed` for another answer, `usage` where nobody can be asked
 */
export async function confirmProtected(
  { protectedName: name, source }: Pick<Connection, "protectedName" | "source">,
  change: string,
  { yes, dryRun }: Pick<ReasonedOptions, "yes" | "dryRun">,
  terminal: Terminal,
): Promise<void> {
  if (name === undefined || yes || dryRun) return;
  if (terminal.inputIsTerminal !== true)
    throw new CommandFailure(
      "usage",
      `${source} is protected, and this would ${change}; nobody can be asked here, so pass --yes`,
    );
  await requireTyped(`${source} is protected. This will ${change}.`, name, terminal);
}
