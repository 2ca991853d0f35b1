import { GOVERNANCE_MODES } from "@svc/contract/verdict";
import { Command, Option } from "commander";
import { withOptionalReason } from "../connection/change-options.ts";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import type { Terminal } from "../frame/terminal.ts";
import { withWait } from "../rollout/with-wait.ts";
import type { PromoteOptions } from "./promote.ts";
import { withSince } from "./report-since.ts";

/** `svc-cli governance promote`. */
export function promoteCommand(terminal: Terminal, exit: Exit): Command {
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
