import { Command } from "commander";
import { withServer } from "../connection/server-options.ts";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import { withOutput } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { ListKeysOptions } from "./list-keys.ts";

/** `svc-cli keys list`. */
export function listCommand(terminal: Terminal, exit: Exit): Command {
  return withOutput(withServer(new Command("list")))
    .description("list API keys: what each may do, and whether it works. No secret is shown")
    .option("--all", "also those that were revoked or have expired", false)
    .option("--org <org>", "of another organization, which only the bootstrap key may name")
    .addHelpText("before", examples("svc-cli keys list", "svc-cli keys list --all -o json"))
    .addHelpText("after", "\nExit codes: 0, 2 wrong usage, 3 no server answers, 4 the key may not read keys")
    .action(async (options: ListKeysOptions) => {
      const { listKeys } = await import("./list-keys.ts");
      exit(await listKeys(options, terminal));
    });
}
