import { APPROVAL_FILTERS } from "@svc/contract/approval";
import { Command, Option } from "commander";
import { withServer } from "../connection/server-options.ts";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import { withOutput } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { ListOptions } from "./list-approvals.ts";

/** `svc-cli approvals list`. */
export function listCommand(terminal: Terminal, exit: Exit): Command {
  return withOutput(withServer(new Command("list")))
    .description("list approvals that wait or are unused, newest first")
    .addOption(
      new Option("--status <status>", "which ones; open: those that wait, and those that calls can still use")
        .choices(["open", ...APPROVAL_FILTERS, "all"])
        .default("open"),
    )
    .option("--agent <agent>", "of calls of this agent")
    .option("--session <session>", "of calls of this session")
    .option("--tool <tool>", "of calls of this tool")
    .option("--workflow <workflow>", "that follow this workflow")
    .addHelpText(
      "before",
      examples(
        "svc-cli approvals list",
        "svc-cli approvals list --status all --agent refund-bot",
        "svc-cli approvals list -o ndjson",
      ),
    )
    .addHelpText("after", "\nExit codes: 0, 2 wrong usage, 3 no server answers, 4 the key is refused")
    .action(async (options: ListOptions) => {
      const { listApprovals } = await import("./list-approvals.ts");
      exit(await listApprovals(options, terminal));
    });
}
