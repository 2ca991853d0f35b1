import { HELD_CALL_STATUSES } from "@svc/contract/held-call";
import { Command, Option } from "commander";
import { withServer } from "../connection/server-options.ts";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import { withOutput } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { HeldOptions } from "./list-held-calls.ts";

/** `svc-cli agents held`. */
export function heldCommand(terminal: Terminal, exit: Exit): Command {
  return withOutput(withServer(new Command("held")))
    .description("list calls that are held because their agent is suspended, newest first")
    .addOption(
      new Option("--status <status>", "which ones").choices([...HELD_CALL_STATUSES, "all"]).default("held"),
    )
    .option("--agent <agent>", "calls of this agent")
    .option("--session <session>", "calls of this session")
    .option("--tool <tool>", "calls of this tool")
    .addHelpText("before", examples("svc-cli agents held", "svc-cli agents held --agent research-agent"))
    .addHelpText("after", HELP)
    .action(async (options: HeldOptions) => {
      const { listHeldCalls } = await import("./list-held-calls.ts");
      exit(await listHeldCalls(options, terminal));
    });
}

const HELP = `
Nobody approves a held call: it is judged again when its agent has recovered. docs/ROGUE.md says how.

Exit codes: 0, 2 wrong usage, 3 no server answers, 4 the key is refused`;
