import { Command } from "commander";
import { type ReasonedOptions, withReason } from "../connection/change-options.ts";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import type { Terminal } from "../frame/terminal.ts";

/** `svc-cli approvals revoke`. */
export function revokeCommand(terminal: Terminal, exit: Exit): Command {
  return withReason(new Command("revoke"))
    .description("take back what calls have not used of an approval, or cancel one that waits")
    .argument("<approval-id>", "the id that svc-cli approvals list prints")
    .addHelpText("before", examples('svc-cli approvals revoke apr_3n5J --reason "approved by mistake"'))
    .addHelpText("after", HELP)
    .action(async (id: string, options: ReasonedOptions) => {
      const { revokeGrant } = await import("./revoke-grant.ts");
      exit(await revokeGrant(id, options, terminal));
    });
}

const HELP = `
Calls that it has let pass are not undone or stopped. A call that does not run gives nothing back after it.

Exit codes: 0 revoked, 1 it has ended, is revoked already or does not exist, 2 wrong usage, 3 no answer came,
4 the key may not revoke it`;
