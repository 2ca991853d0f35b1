import { GOVERNANCE_MODES } from "@svc/contract/verdict";
import { Command, Option } from "commander";
import { withServer } from "../connection/server-options.ts";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import { withOutput } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { ListOptions } from "./list-policies.ts";

/** `svc-cli policies list`. */
export function listCommand(terminal: Terminal, exit: Exit): Command {
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
