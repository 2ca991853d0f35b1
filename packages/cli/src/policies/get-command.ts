import { Command } from "commander";
import { withServer } from "../connection/server-options.ts";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import { withOutput } from "../frame/output.ts";
import { parseVersion } from "../frame/parse-version.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { GetOptions } from "./get-policy.ts";

/** `svc-cli policies get`. */
export function getCommand(terminal: Terminal, exit: Exit): Command {
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
      const { getPolicy } = await import("./get-policy.ts");
      exit(await getPolicy(id, options, terminal));
    });
}
