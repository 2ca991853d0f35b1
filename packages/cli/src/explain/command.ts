import { parseDecisionId } from "@svc/contract/decision-id";
import { Command } from "commander";
import { type ServerOptions, withServer } from "../connection/server-options.ts";
import { examples } from "../frame/examples.ts";
import { CommandFailure, type Exit } from "../frame/exit-code.ts";
import { type OutputOptions, withOutput } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";

/** `svc-cli explain`. With a policy it asks no server. */
export function explainCommand(terminal: Terminal, exit: Exit): Command {
  return withOutput(withServer(new Command("explain")))
    .description("show how a policy decides a call, step by step, and what would change the decision")
    .argument("<policy>", "a policy in YAML, or in JSON if the name ends in .json; or a decision_id alone")
    .argument("[action]", "the call: a file, `-` for stdin, the JSON itself, or the name of a tool")
    .argument("[values...]", "arguments of the tool, each as name=value; a value is JSON, or else a text")
    .addHelpText("before", EXAMPLES)
    .addHelpText("after", HELP)
    .action(
      async (
        policy: string,
        action: string | undefined,
        values: readonly string[],
        options: ExplainOptions,
      ) => {
        if (action === undefined) {
          if (parseDecisionId(policy) === null) throw new CommandFailure("usage", BOTH);
          const { explainRecorded } = await import("./explain-recorded.ts");
          exit(await explainRecorded(policy, options, terminal));
          return;
        }
        const { explainCall } = await import("./explain-call.ts");
        exit(await explainCall({ policy, action, values }, options, terminal));
      },
    );
}

type ExplainOptions = ServerOptions & OutputOptions;

const BOTH = "expected a policy and a call, or a decision_id such as gw_1f0c.41; found a policy alone";

const EXAMPLES = examples(
  "svc-cli explain payments.yaml call.json",
  `svc-cli explain payments.yaml '{"tool": "payments.refund", "args": {"amount": 600}}'`,
  "svc-cli explain payments.yaml payments.refund amount=600 currency=EUR",
  "svc-cli explain gw_1f0c.41",
);

const HELP = `
The call is the body of gateway/execute. agent_id may be left out. session: {steps, cost_usd} says what the
session has used before, and time when the call is received. Kill switches are not known offline.
A decision_id explains that decision: the server makes it again, by the policy and the switches of its time.

Exit codes: 0 explained, whatever the decision, 1 the policy is refused, no such decision, or it was decided
again differently, 2 a file or the call is wrong, 3 no server answers, 4 the key may not read the log`;
