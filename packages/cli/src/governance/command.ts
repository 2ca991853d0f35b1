import { GOVERNANCE_MODES } from "@svc/contract/verdict";
import { Command, Option } from "commander";
import { withOptionalReason } from "../connection/change-options.ts";
import { withServer } from "../connection/server-options.ts";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import { withOutput } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";
import { withWait } from "../rollout/with-replay.ts";
import type { PromoteOptions } from "./promote.ts";
import { type StatusOptions, withSince } from "./report-since.ts";

/** `svc-cli governance`. */
export function governanceCommand(terminal: Terminal, exit: Exit): Command {
  return new Command("governance")
    .description("see what enforcement would change, and take a policy there in steps")
    .addHelpText(
      "before",
      examples(
        "svc-cli governance status payments --env prod",
        'svc-cli governance promote payments --env prod --reason "nothing unexpected in a week"',
      ),
    )
    .addCommand(statusCommand(terminal, exit))
    .addCommand(promoteCommand(terminal, exit));
}

/** `svc-cli governance promote`. */
function promoteCommand(terminal: Terminal, exit: Exit): Command {
  return withWait(withSince(withOptionalReason(new Command("promote"))))
    .description("take a policy to its next mode: audit_only, then shadow, then enforcement")
    .argument("<policy>", "id of the policy")
    .addOption(new Option("--to <mode>", "a later mode than the next one").choices(GOVERNANCE_MODES))
    .addHelpText("before", EXAMPLES)
    .addHelpText("after", HELP)
    .action(async (id: string, options: PromoteOptions) => {
      const { promote } = await import("./promote.ts");
      exit(await promote(id, options, terminal));
    });
}

const EXAMPLES = examples(
  'svc-cli governance promote payments --env prod --reason "look at it for a week"',
  'svc-cli governance promote payments --to enforcement --env prod --reason "release 41" --dry-run',
);

const HELP = `
The text of the policy stays as it is, except for its mode. What enforcement would have answered in the last
24 hours is shown before. A mode that lets more calls pass is set by svc-cli rollback, or by svc-cli deploy.

Exit codes: 0 every gateway decides by it, or it is enforced already, 1 no such policy, or another version
came between, 2 wrong usage, 3 a gateway has not confirmed, or no answer came, 4 the key may not do this,
130 interrupted`;

/** `svc-cli governance status`. */
function statusCommand(terminal: Terminal, exit: Exit): Command {
  return withSince(withOutput(withServer(new Command("status"))))
    .description("show the mode of a policy, and what enforcement would have answered")
    .argument("<policy>", "id of the policy")
    .addHelpText(
      "before",
      examples("svc-cli governance status payments", "svc-cli governance status payments --since 7d -o json"),
    )
    .addHelpText(
      "after",
      "\nExit codes: 0, 1 no policy has this id, 2 wrong usage, 3 no server answers, 4 the key is refused",
    )
    .action(async (id: string, options: StatusOptions) => {
      const { showStatus } = await import("./show-status.ts");
      exit(await showStatus(id, options, terminal));
    });
}
