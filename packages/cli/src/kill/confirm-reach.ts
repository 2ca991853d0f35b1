import { killSwitchRoutes } from "@svc/api/kill-switch-routes";
import { printable } from "@svc/process/printable";
import type { JsonObject } from "@svc/text/json-value";
import { ControlClient } from "../connection/control-client.ts";
import type { Connection } from "../connection/resolve-connection.ts";
import { confirm, requireTyped } from "../frame/confirm.ts";
import { CommandFailure } from "../frame/exit-code.ts";
import type { Terminal } from "../frame/terminal.ts";
import { type SwitchTarget, targetText } from "./switch-facts.ts";

/** A change of a switch, and what to say when it is not made. */
export interface ReachQuestion {
  readonly target: SwitchTarget;
  /** A sentence about the change. */
  readonly what: string;
  /** A sentence without its end. */
  readonly nothing: string;
}

/**
 * Asks the person at the terminal about a switch that reaches more than one agent: yes or no for a tool, and
 * the typed name for a namespace or everything. Where nobody can be asked, the command needs --yes.
 * @throws CommandFailure `usage` or `failed` unless it is confirmed
 */
export async function confirmReach(
  { target, what, nothing }: ReachQuestion,
  { yes }: { readonly yes: boolean },
  terminal: Terminal,
): Promise<void> {
  const way = wayOf(target);
  if (yes || way === "unasked") return;
  if (terminal.inputIsTerminal !== true)
    throw new CommandFailure("usage", `${nothing}. ${what} Nobody can be asked here, so pass --yes`);
  if (way === "typed")
    return requireTyped(what, target.account_wide ? "global" : (target.target_id ?? ""), terminal);
  if (await confirm(`${what} Go on?`, terminal)) return;
  throw new CommandFailure("failed", `${nothing}: the answer was not yes`);
}

/** A scope that nobody knows asks for the most. */
function wayOf({ scope, account_wide }: SwitchTarget): "unasked" | "yes or no" | "typed" {
  if (account_wide) return "typed";
  if (scope === "session" || scope === "agent") return "unasked";
  return scope === "tool" ? "yes or no" : "typed";
}

/** Whether a person is asked about every switch on such a target. */
function isAskedAnyway(target: SwitchTarget): boolean {
  return wayOf(target) !== "unasked";
}

/** What a switch stops, for people. */
export function reachText(target: SwitchTarget): string {
  if (target.account_wide) return "every call of the organization";
  if (target.scope === "tool") return `every call of tool ${target.target_id ?? ""}, by any agent`;
  if (target.scope === "namespace") return `every agent of namespace ${target.target_id ?? ""}`;
  return targetText(target);
}

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
