import { killSwitchRoutes } from "@svc/api/kill-switch-routes";
import { printable } from "@svc/process/printable";
import type { JsonObject } from "@svc/text/json-value";
import { ControlClient } from "../connection/control-client.ts";
import type { Connection } from "../connection/resolve-connection.ts";
import { confirm } from "../frame/confirm.ts";
import { CommandFailure } from "../frame/exit-code.ts";
import type { Terminal } from "../frame/terminal.ts";
import { isAskedAnyway, type ReachQuestion } from "./confirm-reach.ts";

/** Milliseconds that a person waits for the answer of the dry run. */
const LOOK_MS = 2_000;

interface UnseenOptions {
  readonly body: JsonObject;
  readonly expectUnseen: boolean;
  readonly yes: boolean;
}

/**
 * Asks the person at the terminal before a name is stopped that no gateway has seen. Where the switch is
 * asked about anyway, it only warns. A dry run finds out; what it does not answer in time keeps nobody from
 * stopping calls.
 * @throws CommandFailure `failed` when the answer is not yes
 */
export async function confirmUnseen(
  { target, what, nothing }: ReachQuestion,
  { body, expectUnseen, yes }: UnseenOptions,
  connection: Connection,
  terminal: Terminal,
): Promise<void> {
  if (expectUnseen || yes || target.account_wide || terminal.inputIsTerminal !== true) return;
  const warning = await warningOf(connection, body);
  if (warning === null) return;
  const said = printable(`WARNING: no such ${target.scope} seen. ${warning}`);
  if (isAskedAnyway(target)) terminal.writeError(`${said}\n`);
  else if (!(await confirm(`${said}\n${what} Go on?`, terminal)))
    throw new CommandFailure("failed", `${nothing}: the answer was not yes`);
}

async function warningOf(connection: Connection, body: JsonObject): Promise<string | null> {
  const client = new ControlClient(connection, AbortSignal.timeout(LOOK_MS));
  try {
    const asked = await client.ask(killSwitchRoutes.activateKillSwitch, { body: { ...body, dry_run: true } });
    return asked.body.warning ?? null;
  } catch {
    // Whatever keeps the dry run from its answer, the switch itself is tried, and says it.
    return null;
  }
}
