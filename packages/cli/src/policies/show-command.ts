import { Command } from "commander";
import { type ServerOptions, withServer } from "../connection/server-options.ts";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import { type OutputOptions, withOutput } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";

/** `svc-cli policies show`. */
export function showCommand(terminal: Terminal, exit: Exit): Command {
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
      const { showPolicy } = await import("./show-policy.ts");
      exit(await showPolicy(id, options, terminal));
    });
}
