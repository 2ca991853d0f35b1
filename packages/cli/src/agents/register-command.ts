import { Command } from "commander";
import { withServer } from "../connection/server-options.ts";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import { withOutput } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { RegisterOptions } from "./register-agent.ts";

/** `svc-cli agents register`. */
export function registerCommand(terminal: Terminal, exit: Exit): Command {
  return withOutput(withServer(new Command("register")))
    .description("register an agent, so that its calls belong to a namespace")
    .argument("<agent>", "id that its calls name; it never changes")
    .option("--namespace <namespace>", "namespace of its calls (default: that of its latest call)")
    .option("--name <name>", "what people call it (default: the id)")
    .option("--provider <provider>", "who provides the model or the platform")
    .option("--tags <list>", "words for finding agents, separated by commas", listOf)
    .option("--capabilities <list>", "what the agent can do, separated by commas", listOf)
    .option("--parent <agent>", "the registered agent that starts this one")
    .option("--reason <text>", "why, for the audit log")
    .option("--dry-run", "say what would change, and change nothing", false)
    .option("--yes", "do not ask; this command never asks", false)
    .addHelpText("before", EXAMPLES)
    .addHelpText("after", HELP)
    .action(async (id: string, options: RegisterOptions) => {
      const { registerAgent } = await import("./register-agent.ts");
      exit(await registerAgent(id, options, terminal));
    });
}

function listOf(text: string): readonly string[] {
  return text.split(",");
}

const EXAMPLES = examples(
  "svc-cli agents register billing-bot --namespace payments --tags prod",
  'svc-cli agents register seen-bot --reason "it called for weeks"',
);

const HELP = `
Without --namespace it registers an agent that has called or sent heartbeats. Once it is registered, its calls
that name another namespace are denied.

Exit codes: 0 every gateway goes by it, 1 it is registered, or was never seen and --namespace is missing, 2
wrong usage, 3 a gateway has not confirmed, or no answer came, 4 the key may not do this`;
