import { Command } from "commander";
import { type ServerOptions, withServer } from "../connection/server-options.ts";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import { type OutputOptions, withOutput } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";

/** `svc-cli agents show`. */
export function showCommand(terminal: Terminal, exit: Exit): Command {
  return withOutput(withServer(new Command("show")))
    .description("show an agent, its heartbeats, and what escalates next")
    .argument("<agent>", "id of the agent")
    .addHelpText("before", examples("svc-cli agents show billing-bot"))
    .addHelpText(
      "after",
      "\nExit codes: 0, 1 no agent has this id, 2 wrong usage, 3 no server answers, 4 the key is refused",
    )
    .action(async (id: string, options: ServerOptions & OutputOptions) => {
      const { showAgent } = await import("./show-agent.ts");
      exit(await showAgent(id, options, terminal));
    });
}
