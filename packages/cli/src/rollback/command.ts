import { Command } from "commander";
import { withOptionalReason } from "../connection/change-options.ts";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import { parseVersion } from "../frame/parse-options.ts";
import type { Terminal } from "../frame/terminal.ts";
import { withWait } from "../rollout/with-replay.ts";
import type { RollbackOptions } from "./roll-back.ts";

/** `svc-cli rollback`. The history only grows: the earlier content becomes the next version. */
export function rollbackCommand(terminal: Terminal, exit: Exit): Command {
  return withWait(withOptionalReason(new Command("rollback")))
    .description("put the content of an earlier version of a policy into force again")
    .argument("<policy>", "id of the policy")
    .option(
      "--to <version>",
      "the version whose content comes back (default: the one before the latest)",
      parseVersion,
    )
    .option(
      "--last-good",
      "go back to the newest version that was in force for an hour and was not rolled back",
      false,
    )
    .addHelpText("before", EXAMPLES)
    .addHelpText("after", HELP)
    .action(async (id: string, options: RollbackOptions) => {
      const { rollBack } = await import("./roll-back.ts");
      exit(await rollBack(id, options, terminal));
    });
}

const EXAMPLES = examples(
  'svc-cli rollback payments --env prod --reason "version 7 denies refunds"',
  'svc-cli rollback payments --to 5 --env prod --reason "version 7 denies refunds" --dry-run',
  'svc-cli rollback payments --last-good --env prod --reason "incident 7" --yes',
);

const HELP = `
The difference is shown, and the rollback is refused when another version comes between.

Exit codes: 0 every gateway decides by it, or nothing differs, 1 no such policy or version, or another version
came between, 2 wrong usage, 3 a gateway has not confirmed, or no answer came, 4 the key may not do this,
130 interrupted`;
