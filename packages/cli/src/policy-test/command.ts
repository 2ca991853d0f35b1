import { Command, InvalidArgumentError } from "commander";
import { examples } from "../frame/examples.ts";
import { CommandFailure, type Exit } from "../frame/exit-code.ts";
import { REPORT_FORMATS, withOutput } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { TestOptions } from "./test-policy.ts";
import { findTestsBeside, testNames } from "./tests-beside.ts";

/** `svc-cli test`. Asks no server: it decides with the engine of the gateway. */
export function testCommand(terminal: Terminal, exit: Exit): Command {
  return withOutput(new Command("test"), REPORT_FORMATS)
    .description("run test cases against a policy, and count what passed")
    .argument("<policy>", "a policy in YAML, or in JSON if the name ends in .json")
    .option(
      "--mock <file>",
      "a list of actions in JSON or YAML, each with what is expected (default: payments.test.json, .yaml " +
        "or .yml beside payments.yaml)",
    )
    .option("--run <pattern>", "report only cases whose name matches this regular expression", pattern)
    .option("--now <time>", "where the virtual clock begins (RFC 3339); by default now", time)
    .option("--coverage", "list what of the policy no case reached", false)
    .option("--threshold <percent>", "fail below this coverage; implies --coverage", percent)
    .option("--mutate", "change the policy in one place at a time, and list what no case noticed", false)
    .option("--watch", "run again whenever a file changes", false)
    .option("--update", "write into the file what cases without expectation, or failing ones, get", false)
    .option("--yes", "with --update: change expectations that fail without a question", false)
    .addHelpText("before", EXAMPLES)
    .addHelpText("after", HELP)
    .action(async (policy: string, given: GivenOptions) => {
      const options: TestOptions = { ...given, mock: mockOf(policy, given, terminal) };
      const { testPolicy } = await import("./test-policy.ts");
      if (options.update) requireUpdatable(options, terminal);
      if (!options.watch) return exit(await testPolicy(policy, options, terminal));
      const { watchFiles } = await import("../frame/watch-files.ts");
      exit(await watchFiles([policy, options.mock], terminal, () => testPolicy(policy, options, terminal)));
    });
}

const EXAMPLES = examples(
  "svc-cli test payments.yaml",
  "svc-cli test payments.yaml --mock payments.test.json --threshold 90 -o junit > report.xml",
  "svc-cli test payments.yaml --mock payments.test.json --mutate",
  "svc-cli test payments.yaml --mock payments.test.json --watch",
  "svc-cli test payments.yaml --mock payments.test.json --update",
);

const HELP = `
Each action has tool, and may have name, agent_id, session_id, namespace, args, cost_usd, time, repeat and
expect: {decision (one, a list of them, or not_allow), rule_id, reason (a text or a /pattern/), reason_code,
shaped_args}. Calls of one session_id run in their order and share its ceilings; a call without session_id has
a session of its own.
The cases say what enforcement answers, whatever the mode of the policy. --update shows each change of the
file, keeps its comments, and is refused in continuous integration.

Exit codes: 0 every expectation was met, 1 one was not, or the policy is refused, or the coverage is too low,
2 a file or an option is wrong, or no case was found`;

type GivenOptions = Omit<TestOptions, "mock"> & { readonly mock?: string };

/** @throws CommandFailure `usage` without a file of cases */
function mockOf(policy: string, { mock }: GivenOptions, terminal: Terminal): string {
  const file = mock ?? findTestsBeside(policy, terminal);
  if (file !== null) return file;
  throw new CommandFailure(
    "usage",
    `--mock: expected a file of cases, because none of ${testNames(policy).join(", ")} is there`,
  );
}

/** A build that wrote what it finds would never fail. @throws CommandFailure `usage` */
function requireUpdatable({ watch, mutate, threshold }: TestOptions, { environment }: Terminal): void {
  const { CI: ci = "" } = environment;
  if (ci !== "" && ci !== "false")
    throw new CommandFailure(
      "usage",
      "--update: expected a person, found CI: run it where you can read the change",
    );
  if (watch || mutate || threshold !== undefined)
    throw new CommandFailure("usage", "--update stands without --watch, --mutate and --threshold");
}

function pattern(text: string): RegExp {
  try {
    return new RegExp(text, "u");
  } catch {
    throw new InvalidArgumentError("expected a regular expression.");
  }
}

function time(text: string): number {
  const timeMs = Date.parse(text);
  if (!/^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:\d\d)$/.test(text) || Number.isNaN(timeMs))
    throw new InvalidArgumentError("expected a time such as 2026-06-01T09:00:00Z.");
  return timeMs;
}

function percent(text: string): number {
  const value = Number(text);
  if (!/^\d+(?:\.\d+)?$/.test(text) || value > 100)
    throw new InvalidArgumentError("expected a number from 0 to 100.");
  return value;
}
