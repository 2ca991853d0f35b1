import { APPROVAL_FILTERS } from "@svc/contract/approval";
import { Command, Option } from "commander";
import { type ReasonedOptions, withReason } from "../connection/change-options.ts";
import { type ServerOptions, withServer } from "../connection/server-options.ts";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import { type OutputOptions, withOutput, withStream } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { ApproveOptions } from "./approve-call.ts";
import type { ListOptions } from "./list-approvals.ts";
import type { WatchOptions } from "./watch-approvals.ts";

/** `svc-cli approvals`. */
export function approvalsCommand(terminal: Terminal, exit: Exit): Command {
  return new Command("approvals")
    .description("see paused calls, approve or deny them, and take approvals back")
    .addHelpText(
      "before",
      examples(
        "svc-cli approvals watch",
        "svc-cli approvals show apr_3n5J",
        'svc-cli approvals approve apr_3n5J --reason "the customer called"',
        'svc-cli approvals deny apr_3n5J --reason "the amount is wrong"',
      ),
    )
    .addCommand(listCommand(terminal, exit))
    .addCommand(showCommand(terminal, exit))
    .addCommand(watchCommand(terminal, exit))
    .addCommand(approveCommand(terminal, exit))
    .addCommand(denyCommand(terminal, exit))
    .addCommand(revokeCommand(terminal, exit));
}

/** `svc-cli approvals approve`. */
function approveCommand(terminal: Terminal, exit: Exit): Command {
  return withReason(new Command("approve"))
    .description("approve a paused call, so that its agent can repeat it once")
    .argument("<approval-id>", "the id that svc-cli approvals list prints")
    .option("--edit-args <json>", "other arguments for the call: JSON, @file, or @- for stdin")
    .addHelpText("before", APPROVE_EXAMPLES)
    .addHelpText("after", APPROVE_HELP)
    .action(async (id: string, options: ApproveOptions) => {
      const { approveCall } = await import("./approve-call.ts");
      exit(await approveCall(id, options, terminal));
    });
}

const APPROVE_EXAMPLES = examples(
  'svc-cli approvals approve apr_3n5J --reason "the customer called"',
  `svc-cli approvals approve apr_3n5J --reason "half of it" --edit-args '{"amount": 450}'`,
  'svc-cli approvals approve apr_3n5J --reason "half of it" --edit-args @args.json --dry-run',
);

const APPROVE_HELP = `
--edit-args takes all arguments: write them as svc-cli approvals show prints them, with your changes. The
agent gets them as shaped_args, and the policy judges them. docs/APPROVALS.md says what wins over an approval.

Exit codes: 0 approved, or your approval counts and others are missing, 1 it is not pending any more or does
not exist, 2 wrong usage, 3 no answer came, 4 the key may not approve this call`;

/** `svc-cli approvals deny`. */
function denyCommand(terminal: Terminal, exit: Exit): Command {
  return withReason(new Command("deny"))
    .description("deny a paused call, whatever its workflow requires")
    .argument("<approval-id>", "the id that svc-cli approvals list prints")
    .addHelpText("before", examples('svc-cli approvals deny apr_3n5J --reason "the amount is wrong"'))
    .addHelpText("after", DENY_HELP)
    .action(async (id: string, options: ReasonedOptions) => {
      const { denyCall } = await import("./approve-call.ts");
      exit(await denyCall(id, options, terminal));
    });
}

const DENY_HELP = `
Exit codes: 0 denied, 1 it has ended before or does not exist, 2 wrong usage, 3 no answer came, 4 the key may
not deny this call`;

/** `svc-cli approvals list`. */
function listCommand(terminal: Terminal, exit: Exit): Command {
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

/** `svc-cli approvals revoke`. */
function revokeCommand(terminal: Terminal, exit: Exit): Command {
  return withReason(new Command("revoke"))
    .description("take back what calls have not used of an approval, or cancel one that waits")
    .argument("<approval-id>", "the id that svc-cli approvals list prints")
    .addHelpText("before", examples('svc-cli approvals revoke apr_3n5J --reason "approved by mistake"'))
    .addHelpText("after", REVOKE_HELP)
    .action(async (id: string, options: ReasonedOptions) => {
      const { revokeGrant } = await import("./approve-call.ts");
      exit(await revokeGrant(id, options, terminal));
    });
}

const REVOKE_HELP = `
Calls that it has let pass are not undone or stopped. A call that does not run gives nothing back after it.

Exit codes: 0 revoked, 1 it has ended, is revoked already or does not exist, 2 wrong usage, 3 no answer came,
4 the key may not revoke it`;

/** `svc-cli approvals show`. */
function showCommand(terminal: Terminal, exit: Exit): Command {
  return withOutput(withServer(new Command("show")))
    .description("show a paused call with its arguments, and where its approval stands")
    .argument("<approval-id>", "the id that svc-cli approvals list prints")
    .addHelpText(
      "before",
      examples("svc-cli approvals show apr_3n5J", "svc-cli approvals show apr_3n5J -o json"),
    )
    .addHelpText(
      "after",
      "\nExit codes: 0, 1 no such approval, 2 wrong usage, 3 no server answers, 4 the key is refused",
    )
    .action(async (id: string, options: ServerOptions & OutputOptions) => {
      const { showApproval } = await import("./list-approvals.ts");
      exit(await showApproval(id, options, terminal));
    });
}

/** `svc-cli approvals watch`. */
function watchCommand(terminal: Terminal, exit: Exit): Command {
  return withStream(withServer(new Command("watch")))
    .description("show calls that wait for approval as they come, and ring the bell of the terminal for each")
    .option("--agent <agent>", "of calls of this agent")
    .option("--tool <tool>", "of calls of this tool")
    .option("--workflow <workflow>", "that follow this workflow")
    .option("--no-bell", "do not ring")
    .addHelpText("before", examples("svc-cli approvals watch", "svc-cli approvals watch -o ndjson"))
    .addHelpText("after", WATCH_HELP)
    .action(async (options: WatchOptions) => {
      const { watchApprovals } = await import("./watch-approvals.ts");
      exit(await watchApprovals(options, terminal));
    });
}

const WATCH_HELP = `
It begins with the newest approvals that are open, without a ring. It goes on when the server was away, with
those that were opened meanwhile. Ctrl-C ends it.

Exit codes: 2 wrong usage, 3 no server answers at the start, 4 the key is refused, 130 ended by a signal`;
