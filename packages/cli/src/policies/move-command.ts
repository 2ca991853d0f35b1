import { Command } from "commander";
import { withReason } from "../connection/change-options.ts";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import type { Terminal } from "../frame/terminal.ts";
import { withWait } from "../rollout/with-wait.ts";
import type { MoveOptions } from "./move-policy.ts";

/** `svc-cli policies enable`. */
export function enableCommand(terminal: Terminal, exit: Exit): Command {
  return withWait(withReason(new Command("enable")))
    .description("let the latest version of a policy govern again")
    .argument("<policy>", "id of the policy")
    .addHelpText("before", examples('svc-cli policies enable payments --reason "incident 7 is over"'))
    .addHelpText("after", `\nAn archived policy comes back without assignments.${HELP}`)
    .action(async (id: string, options: MoveOptions) => {
      const { movePolicy } = await import("./move-policy.ts");
      exit(await movePolicy({ ...options, id, to: "enabled" }, terminal));
    });
}

/** `svc-cli policies disable`. */
export function disableCommand(terminal: Terminal, exit: Exit): Command {
  return withWait(withReason(new Command("disable")))
    .description("deny every call that a policy governs, until it is enabled")
    .argument("<policy>", "id of the policy")
    .addHelpText(
      "before",
      examples(
        'svc-cli policies disable payments --reason "incident 7"',
        'svc-cli policies disable payments --reason "incident 7" --dry-run',
      ),
    )
    .addHelpText(
      "after",
      "\nIts assignments stay, so no other policy takes its place. svc-cli kill is faster, and can end by " +
        `itself.${HELP}`,
    )
    .action(async (id: string, options: MoveOptions) => {
      const { movePolicy } = await import("./move-policy.ts");
      exit(await movePolicy({ ...options, id, to: "disabled" }, terminal));
    });
}

const HELP = `
--dry-run shows which agents and namespaces are governed, and changes nothing.
Exit codes: 0 every gateway has confirmed, 1 no policy has this id or the answer was not yes, 2 wrong usage,
3 a gateway has not confirmed, or no answer came, 4 the key may not do this, 130 interrupted`;
