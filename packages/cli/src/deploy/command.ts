import { GOVERNANCE_MODES } from "@svc/contract/verdict";
import { Command, Option } from "commander";
import { withOptionalReason } from "../connection/change-options.ts";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import { parsePercent } from "../frame/parse-options.ts";
import type { Terminal } from "../frame/terminal.ts";
import { withReplay, withWait } from "../rollout/with-replay.ts";
import type { DeployOptions } from "./deploy-options.ts";

/** `svc-cli deploy`. Ends with `ok` only when every gateway decides by every policy that is named. */
export function deployCommand(terminal: Terminal, exit: Exit): Command {
  return withWait(withReplay(withOptionalReason(new Command("deploy"))))
    .description("put policies into force: plan, test, compare, store, and wait for every gateway")
    .argument(
      "<policy...>",
      "policies in YAML, or in JSON if the name ends in .json; folders of them; `-` reads YAML from stdin",
    )
    .addOption(
      new Option("--mode <mode>", "governance mode in place of that of the policies").choices(
        GOVERNANCE_MODES,
      ),
    )
    .option(
      "--max-changed <percent>",
      "refuse when a larger share of the recorded calls would or may be decided otherwise than now",
      parsePercent,
    )
    .addHelpText("before", EXAMPLES)
    .addHelpText("after", HELP)
    .action(async (paths: readonly string[], options: DeployOptions) => {
      const { deployPolicies } = await import("./deploy-policies.ts");
      exit(await deployPolicies(paths, options, terminal));
    });
}

const EXAMPLES = examples(
  'svc-cli deploy payments.yaml --env prod --reason "refunds above 500 need a person"',
  'svc-cli deploy payments.yaml --env prod --reason "first look" --mode audit_only',
  'svc-cli deploy policies --env prod --reason "release 41" --max-changed 1% --yes',
  'svc-cli deploy payments.yaml --env prod --reason "release 41" --dry-run',
);

const HELP = `
Before anything is stored, every policy is compiled, its tests (payments.test.json beside payments.yaml) run,
the server checks it, the difference from the version that runs is shown, and the calls of the recorded
decisions are decided again by both: --max-changed counts where the two differ. A version of another author
that comes between is never overwritten. A policy that runs already is not stored again. With several
policies, the first one that is not in force everywhere ends the command.

Exit codes: 0 every gateway decides by them, 1 a policy is refused, a test fails, too many decisions change,
or another version came between, 2 wrong usage, 3 a gateway has not confirmed, or no answer came, 4 the key
may not do this, 130 interrupted`;
