import { Command } from "commander";
import { withChange } from "../connection/change-options.ts";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import { parseDuration } from "../frame/parse-duration.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { QuarantineOptions } from "./quarantine-agent.ts";

/** `svc-cli agents quarantine`. */
export function quarantineCommand(terminal: Terminal, exit: Exit): Command {
  return withChange(new Command("quarantine"))
    .description("hold a registered agent to the tools that its policy calls read-only")
    .argument("<agent>", "id of the agent")
    .option("--ttl <duration>", "the quarantine ends by itself after this time, such as 30m", parseDuration)
    .addHelpText("before", EXAMPLES)
    .addHelpText("after", HELP)
    .action(async (id: string, options: QuarantineOptions) => {
      const { quarantineAgent } = await import("./quarantine-agent.ts");
      exit(await quarantineAgent(id, options, terminal));
    });
}

const EXAMPLES = examples(
  'svc-cli agents quarantine billing-bot --reason "it reads customers that it has no case for"',
  'svc-cli agents quarantine billing-bot --reason "incident 7" --ttl 2h --dry-run',
);

const HELP = `
svc-cli kill agent stops every call. docs/ROGUE.md compares the two.

Exit codes: 0 every gateway enforces it, 1 nobody registered the agent, 2 wrong usage, 3 a gateway has not
confirmed, or no answer came, 4 the key may not do this`;
