import { Command } from "commander";
import { type ChangeOptions, withChange } from "../connection/change-options.ts";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import type { Terminal } from "../frame/terminal.ts";

/** `svc-cli agents release`. */
export function releaseCommand(terminal: Terminal, exit: Exit): Command {
  return withChange(new Command("release"))
    .description("lift the quarantine of an agent")
    .argument("<agent>", "id of the agent")
    .addHelpText("before", examples('svc-cli agents release billing-bot --reason "the case was there"'))
    .addHelpText("after", HELP)
    .action(async (id: string, options: ChangeOptions) => {
      const { releaseAgent } = await import("./release-agent.ts");
      exit(await releaseAgent(id, options, terminal));
    });
}

const HELP = `
Exit codes: 0 every gateway lets its calls go on, 1 no such agent, 2 wrong usage, 3 a gateway has not
confirmed, or no answer came, 4 the key may not do this`;
