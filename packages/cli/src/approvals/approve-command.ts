import { Command } from "commander";
import { withReason } from "../connection/change-options.ts";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { ApproveOptions } from "./approve-call.ts";

/** `svc-cli approvals approve`. */
export function approveCommand(terminal: Terminal, exit: Exit): Command {
  return withReason(new Command("approve"))
    .description("approve a paused call, so that its agent can repeat it once")
    .argument("<approval-id>", "the id that svc-cli approvals list prints")
    .option("--edit-args <json>", "other arguments for the call: JSON, @file, or @- for stdin")
    .addHelpText("before", EXAMPLES)
    .addHelpText("after", HELP)
    .action(async (id: string, options: ApproveOptions) => {
      const { approveCall } = await import("./approve-call.ts");
      exit(await approveCall(id, options, terminal));
    });
}

const EXAMPLES = examples(
  'svc-cli approvals approve apr_3n5J --reason "the customer called"',
  `svc-cli approvals approve apr_3n5J --reason "half of it" --edit-args '{"amount": 450}'`,
  'svc-cli approvals approve apr_3n5J --reason "half of it" --edit-args @args.json --dry-run',
);

const HELP = `
--edit-args takes all arguments: write them as svc-cli approvals show prints them, with your changes. The
agent gets them as shaped_args, and the policy judges them. docs/APPROVALS.md says what wins over an approval.

Exit codes: 0 approved, or your approval counts and others are missing, 1 it is not pending any more or does
not exist, 2 wrong usage, 3 no answer came, 4 the key may not approve this call`;
