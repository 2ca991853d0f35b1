import { GOVERNANCE_MODES } from "@svc/contract/verdict";
import { Command, Option } from "commander";
import { withReason } from "../connection/change-options.ts";
import { type ServerOptions, withServer } from "../connection/server-options.ts";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import { type OutputOptions, withOutput } from "../frame/output.ts";
import { parseVersion } from "../frame/parse-options.ts";
import type { Terminal } from "../frame/terminal.ts";
import { withWait } from "../rollout/with-replay.ts";
import type { GetOptions, ListOptions } from "./list-policies.ts";
import type { MoveOptions } from "./move-policy.ts";

/** `svc-cli policies`. Versions are made by `deploy`, `rollback` and `governance promote`. */
export function policiesCommand(terminal: Terminal, exit: Exit): Command {
  return new Command("policies")
    .description("see which policies run and how they came to be; enable and disable them")
    .addHelpText(
      "before",
      examples(
        "svc-cli policies list --env prod",
        "svc-cli policies versions payments",
        "svc-cli policies get payments --version 3 > payments.yaml",
        'svc-cli policies disable payments --reason "incident 7"',
      ),
    )
    .addCommand(listCommand(terminal, exit))
    .addCommand(showCommand(terminal, exit))
    .addCommand(versionsCommand(terminal, exit))
    .addCommand(getCommand(terminal, exit))
    .addCommand(enableCommand(terminal, exit))
    .addCommand(disableCommand(terminal, exit));
}

/** `svc-cli policies get`. */
function getCommand(terminal: Terminal, exit: Exit): Command {
  return withOutput(withServer(new Command("get")))
    .description("print the text of a policy as it was deployed, with its comments")
    .argument("<policy>", "id of the policy")
    .option("--version <version>", "the version (default: the latest)", parseVersion)
    .addHelpText(
      "before",
      examples("svc-cli policies get payments > payments.yaml", "svc-cli policies get payments --version 3"),
    )
    .addHelpText(
      "after",
      "\nExit codes: 0, 1 no such version, 2 wrong usage, 3 no server answers, 4 the key is refused",
    )
    .action(async (id: string, options: GetOptions) => {
      const { getPolicy } = await import("./list-policies.ts");
      exit(await getPolicy(id, options, terminal));
    });
}

/** `svc-cli policies list`. */
function listCommand(terminal: Terminal, exit: Exit): Command {
  return withOutput(withServer(new Command("list")))
    .description("list the policies that are not archived, each in its latest version")
    .addOption(new Option("--mode <mode>", "policies of this governance mode").choices(GOVERNANCE_MODES))
    .option("--agent <agent>", "policies that are assigned to this agent")
    .option("--namespace <namespace>", "policies that are assigned to this namespace")
    .option("--search <text>", "a text in the id, the name or a label")
    .addHelpText("before", examples("svc-cli policies list", "svc-cli policies list --mode shadow -o ndjson"))
    .addHelpText("after", "\nExit codes: 0, 2 wrong usage, 3 no server answers, 4 the key is refused")
    .action(async (options: ListOptions) => {
      const { listPolicies } = await import("./list-policies.ts");
      exit(await listPolicies(options, terminal));
    });
}

/** `svc-cli policies enable`. */
function enableCommand(terminal: Terminal, exit: Exit): Command {
  return withWait(withReason(new Command("enable")))
    .description("let the latest version of a policy govern again")
    .argument("<policy>", "id of the policy")
    .addHelpText("before", examples('svc-cli policies enable payments --reason "incident 7 is over"'))
    .addHelpText("after", `\nAn archived policy comes back without assignments.${HELP}`)
    .action(async (id: string, options: MoveOptions) => {
      const { movePolicy } = await import("./move-policy.ts");
      exit(await movePolicy({ ...options, id, to: "enabled" }, terminal));
    });
}

/** `svc-cli policies disable`. */
function disableCommand(terminal: Terminal, exit: Exit): Command {
  return withWait(withReason(new Command("disable")))
    .description("deny every call that a policy governs, until it is enabled")
    .argument("<policy>", "id of the policy")
    .addHelpText(
      "before",
      examples(
        'svc-cli policies disable payments --reason "incident 7"',
        'svc-cli policies disable payments --reason "incident 7" --dry-run',
      ),
    )
    .addHelpText(
      "after",
      "\nIts assignments stay, so no other policy takes its place. svc-cli kill is faster, and can end by " +
        `itself.${HELP}`,
    )
    .action(async (id: string, options: MoveOptions) => {
      const { movePolicy } = await import("./move-policy.ts");
      exit(await movePolicy({ ...options, id, to: "disabled" }, terminal));
    });
}

const HELP = `
--dry-run shows which agents and namespaces are governed, and changes nothing.
Exit codes: 0 every gateway has confirmed, 1 no policy has this id or the answer was not yes, 2 wrong usage,
3 a gateway has not confirmed, or no answer came, 4 the key may not do this, 130 interrupted`;

/** `svc-cli policies show`. */
function showCommand(terminal: Terminal, exit: Exit): Command {
  return withOutput(withServer(new Command("show")))
    .description("show a policy, and which gateways decide by its latest version")
    .argument("<policy>", "id of the policy")
    .addHelpText(
      "before",
      examples("svc-cli policies show payments", "svc-cli policies show payments -o yaml"),
    )
    .addHelpText(
      "after",
      "\nExit codes: 0, 1 no policy has this id, 2 wrong usage, 3 no server answers, 4 the key is refused",
    )
    .action(async (id: string, options: ServerOptions & OutputOptions) => {
      const { showPolicy } = await import("./list-policies.ts");
      exit(await showPolicy(id, options, terminal));
    });
}

/** `svc-cli policies versions`. */
function versionsCommand(terminal: Terminal, exit: Exit): Command {
  return withOutput(withServer(new Command("versions")))
    .description("list the versions of a policy, newest first")
    .argument("<policy>", "id of the policy")
    .addHelpText("before", examples("svc-cli policies versions payments"))
    .addHelpText(
      "after",
      "\nExit codes: 0, 1 no policy has this id, 2 wrong usage, 3 no server answers, 4 the key is refused",
    )
    .action(async (id: string, options: ServerOptions & OutputOptions) => {
      const { listVersions } = await import("./list-policies.ts");
      exit(await listVersions(id, options, terminal));
    });
}
