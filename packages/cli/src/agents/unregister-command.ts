import { Command } from "commander";
import { withServer } from "../connection/server-options.ts";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import { withOutput } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { UnregisterOptions } from "./unregister-agent.ts";

/** `svc-cli agents unregister`. */
export function unregisterCommand(terminal: Terminal, exit: Exit): Command {
  return withOutput(withServer(new Command("unregister")))
    .description("remove the registration of an agent, so that its calls may name any namespace")
    .argument("<agent>", "id of the agent")
    .option("--reason <text>", "why, for the audit log")
    .option("--dry-run", "say what would change, and change nothing", false)
    .option("--yes", "do not ask; this command never asks", false)
    .addHelpText("before", examples('svc-cli agents unregister billing-bot --reason "the project has ended"'))
    .addHelpText("after", HELP)
    .action(async (id: string, options: UnregisterOptions) => {
      const { unregisterAgent } = await import("./unregister-agent.ts");
      exit(await unregisterAgent(id, options, terminal));
    });
}

const HELP = `
An agent that is in quarantine, or the parent of others, stays registered.

Exit codes: 0 every gateway goes by it, 1 it is not registered, or must stay registered, 2 wrong usage, 3 a
gateway has not confirmed, or no answer came, 4 the key may not do this`;
