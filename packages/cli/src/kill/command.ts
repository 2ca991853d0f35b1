import { nearestName } from "@svc/text/nearest-name";
import { Argument, Command, InvalidArgumentError, Option } from "commander";
import { withChange } from "../connection/change-options.ts";
import { withServer } from "../connection/server-options.ts";
import { commandText } from "../frame/command-text.ts";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import { withOutput } from "../frame/output.ts";
import { parseDuration } from "../frame/parse-options.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { KillOptions } from "./activate-switch.ts";
import type { ListOptions } from "./list-switches.ts";

/** In the order of what they stop, the least first. `global` has no target. */
const SCOPES = ["session", "agent", "tool", "namespace", "global"];

/** `svc-cli kill`. Ends with `ok` only when every gateway has confirmed that it enforces the switch. */
export function killCommand(terminal: Terminal, exit: Exit): Command {
  return withChange(new Command("kill"))
    .description("stop the calls of a session, an agent, a tool, a namespace, or all of them")
    .addArgument(new Argument("<scope>", "what to stop").choices(SCOPES).argParser(parseScope))
    .argument("[id]", "its exact name; global has none")
    .option("--ttl <duration>", "the switch ends by itself after this time, such as 30m", parseDuration)
    .option("--expect-unseen", "the name may be one that no gateway has seen", false)
    .addHelpText("before", EXAMPLES)
    .addHelpText("after", HELP)
    .action(async (scope: KillOptions["scope"], id: string | undefined, options: KillOptions) => {
      const { activateSwitch } = await import("./activate-switch.ts");
      exit(await activateSwitch({ ...options, scope, id: id ?? null }, terminal));
    })
    .addCommand(listCommand(terminal, exit));
}

/** A word that is not nearly a scope is most often the name of an agent. */
function parseScope(word: string): string {
  if (SCOPES.includes(word)) return word;
  const choices = `Allowed choices are ${SCOPES.join(", ")}.`;
  if (nearestName(word, SCOPES) !== null) throw new InvalidArgumentError(choices);
  throw new InvalidArgumentError(`${choices} To stop an agent: ${commandText("svc-cli kill agent", word)}`);
}

const EXAMPLES = examples(
  'svc-cli kill agent refund-bot --reason "it refunds the same payment again and again"',
  'svc-cli kill session run-7 --reason "wrong customer" --ttl 30m',
  'svc-cli kill namespace payments --reason "incident 7" --dry-run',
  'svc-cli kill tool payments.refund --reason "incident 7" --yes',
  'svc-cli kill global --reason "incident 7" --yes',
  "svc-cli kill list",
);

const HELP = `
A tool, a namespace and global are confirmed at the terminal, or with --yes. A session and an agent are
confirmed only when no gateway has seen the name, which may be misspelt; --expect-unseen says that it is
meant, and makes it a success.
The first line says STOPPED, NOT STOPPED or UNKNOWN. A WARNING about an unseen name stands before it.
--dry-run asks every gateway, and says who called lately and how often. It exits as the switch would.
Exit codes: 0 every gateway is named and enforces it, 1 the answer was not yes, 2 wrong usage, 3 a gateway
has not confirmed, or the answer does not prove it, 4 the key may not do this, 5 every gateway enforces it,
and none has seen the name
The answer says how to undo it. docs/API.md explains scopes, acknowledgements and leases.`;

function listCommand(terminal: Terminal, exit: Exit): Command {
  return withOutput(withServer(new Command("list")))
    .description("list kill switches, an account-wide one first, then the newest")
    .addOption(
      new Option("--status <status>", "which ones").choices(["active", "inactive", "all"]).default("active"),
    )
    .addHelpText("before", examples("svc-cli kill list", "svc-cli kill list --status all -o json"))
    .action(async (options: ListOptions) => {
      const { listSwitches } = await import("./list-switches.ts");
      exit(await listSwitches(options, terminal));
    });
}
