import { Command } from "commander";
import { type ServerOptions, withServer } from "../connection/server-options.ts";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import { type OutputOptions, withOutput } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";

/** `svc-cli policies versions`. */
export function versionsCommand(terminal: Terminal, exit: Exit): Command {
  return withOutput(withServer(new Command("versions")))
    .description("list the versions of a policy, newest first")
    .argument("<policy>", "id of the policy")
    .addHelpText("before", examples("svc-cli policies versions payments"))
    .addHelpText(
      "after",
      "\nExit codes: 0, 1 no policy has this id, 2 wrong usage, 3 no server answers, 4 the key is refused",
    )
    .action(async (id: string, options: ServerOptions & OutputOptions) => {
      const { listVersions } = await import("./list-versions.ts");
      exit(await listVersions(id, options, terminal));
    });
}
