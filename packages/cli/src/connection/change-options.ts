import { userInfo } from "node:os";
import type { Command } from "commander";
import { requireTyped } from "../frame/confirm.ts";
import { CommandFailure } from "../frame/exit-code.ts";
import { type OutputOptions, withOutput } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { Connection } from "./resolve-connection.ts";
import { type ServerOptions, withServer } from "./server-options.ts";

/** Options of every command that changes something at a server. */
export interface ReasonedOptions extends ServerOptions, OutputOptions {
  readonly reason?: string;
  readonly yes: boolean;
  readonly dryRun: boolean;
}

/** The same, where the server records who does it beside the API key. */
export interface ChangeOptions extends ReasonedOptions {
  readonly by?: string;
}

/** Adds the options of a command that changes something at a server. */
export function withChange(command: Command): Command {
  return withReason(
    command,
    "why, for the audit log and for those who are stopped (required without --dry-run)",
  ).option("--by <name>", "who does this, for the audit log (default: the user of this machine)");
}

/** The same without `--by`: the audit log names the API key. */
export function withReason(
  command: Command,
  reason = "why, for the audit log (required without --dry-run)",
): Command {
  return withOutput(withServer(command))
    .option("--reason <text>", reason)
    .option("--dry-run", "say what would change, and change nothing", false)
    .option("--yes", "do not ask", false);
}

/** The same for a change that the audit row shows by itself: a policy that comes into force. */
export function withOptionalReason(command: Command): Command {
  return withReason(command, "why, for the audit log (left out: the name of the command)");
}

/** @param command what ran, such as `svc-cli deploy`; the reason where none is given */
export function reasonOr(command: string, options: Pick<ReasonedOptions, "reason" | "dryRun">): string {
  return options.reason === undefined ? command : reasonOf(options);
}

/** Not a mandatory option of the command line, because those apply to the commands below a command, too. */
export function reasonOf({ reason, dryRun }: Pick<ReasonedOptions, "reason" | "dryRun">): string {
  if (reason !== undefined && reason.trim() !== "") return reason;
  if (reason === undefined && dryRun) return "dry run";
  throw new CommandFailure("usage", '--reason: expected why, such as --reason "incident 7"');
}

/** Who does this, for people. The audit row names the API key beside it. */
export function actorOf({ by }: Pick<ChangeOptions, "by">, { environment }: Terminal): string {
  const { USER, LOGNAME, USERNAME } = environment;
  const actor = by ?? [USER, LOGNAME, USERNAME].find((name) => (name ?? "") !== "") ?? userOfMachine();
  if (actor === undefined || actor === "")
    throw new CommandFailure("usage", "--by: expected your name, because this machine names no user");
  return actor;
}

/** Containers and services often have none of these variables. A user without an entry has no name at all. */
function userOfMachine(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    return undefined;
  }
}

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
