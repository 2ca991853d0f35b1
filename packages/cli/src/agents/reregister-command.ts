import { Command } from "commander";
import { withChange } from "../connection/change-options.ts";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { ReregisterOptions } from "./reregister-agent.ts";

/** `svc-cli agents reregister`. */
export function reregisterCommand(terminal: Terminal, exit: Exit): Command {
  return withChange(new Command("reregister"))
    .description("end the emergency of an agent, so that its sessions may call again")
    .argument("<agent>", "id of the agent")
    .option("--session <session>", "this session alone (default: every terminated session)")
    .option("--end-kill-switch", "also end the kill switches that the detection activated", false)
    .addHelpText("before", EXAMPLES)
    .addHelpText("after", HELP)
    .action(async (id: string, options: ReregisterOptions) => {
      const { reregisterAgent } = await import("./reregister-agent.ts");
      exit(await reregisterAgent(id, options, terminal));
    });
}

const EXAMPLES = examples(
  'svc-cli agents reregister research-agent --reason "the host was restarted" --end-kill-switch',
  'svc-cli agents reregister research-agent --session run-42 --reason "a false alarm" --dry-run',
);

const HELP = `
Exit codes: 0 its sessions are not terminated any more, 1 no session of it is, 2 wrong usage, 3 no answer
came, 4 the key may not do this`;
