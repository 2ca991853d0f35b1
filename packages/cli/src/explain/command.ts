import { Command } from "commander";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import { type OutputOptions, withOutput } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";

/** `svc-cli explain`. Asks no server. */
export function explainCommand(terminal: Terminal, exit: Exit): Command {
  return withOutput(new Command("explain"))
    .description("show how a policy decides a call, step by step, and what would change the decision")
    .argument("<policy>", "a policy in YAML, or in JSON if the name ends in .json")
    .argument("<action>", "the call: a file, `-` for stdin, or the JSON itself")
    .addHelpText("before", EXAMPLES)
    .addHelpText("after", HELP)
    .action(async (policy: string, action: string, options: OutputOptions) => {
      const { explainCall } = await import("./explain-call.ts");
      exit(await explainCall({ policy, action }, options, terminal));
    });
}

const EXAMPLES = examples(
  "svc-cli explain payments.yaml call.json",
  `svc-cli explain payments.yaml '{"tool": "payments.refund", "args": {"amount": 600}}'`,
);

const HELP = `
The call is the body of gateway/execute. agent_id may be left out. session: {steps, cost_usd} says what the
session has used before, and time when the call is received. Kill switches are not known offline.

Exit codes: 0 explained, whatever the decision, 1 the policy is refused, 2 a file or the call is wrong`;
