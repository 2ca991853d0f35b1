import { BINDABLE_ROLES, ROLES } from "@svc/contract/role";
import { Command, Option } from "commander";
import { withServer } from "../connection/server-options.ts";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import { withOutput } from "../frame/output.ts";
import { parseDuration } from "../frame/parse-duration.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { CreateOptions } from "./create-key.ts";

/** `svc-cli keys create`. */
export function createCommand(terminal: Terminal, exit: Exit): Command {
  return withOutput(withServer(new Command("create")))
    .description("make an API key, and put its secret into a file or show it once")
    .argument("<name>", "what people call it")
    .addOption(new Option("--role <role>", "what the key may do (required)").choices(ROLES))
    .option("--out <file>", "a new file for the secret, which only you can read; - writes it alone to stdout")
    .option("--agents <list>", "the only agents that it may act for, separated by commas", listOf)
    .option("--namespaces <list>", "the only namespaces that it may act in", listOf)
    .option(
      "--expires-in <duration>",
      "how long it works, such as 90d (default: until it is revoked)",
      parseDuration,
    )
    .option("--org <org>", "its organization, which only the bootstrap key may choose")
    .option("--dry-run", "say what would be made, and make nothing", false)
    .option("--yes", "do not ask in a protected environment", false)
    .addHelpText("before", EXAMPLES)
    .addHelpText("after", HELP)
    .action(async (name: string, options: CreateOptions) => {
      const { createKey } = await import("./create-key.ts");
      exit(await createKey(name, options, terminal));
    });
}

function listOf(text: string): readonly string[] {
  return text.split(",");
}

const EXAMPLES = examples(
  'svc-cli keys create "payments agent" --role agent --agents payments-agent --out agent-key',
  'svc-cli keys create "Ada, finance" --role approver --expires-in 90d',
  "svc-cli keys create adapters --role adapter --out - > adapter-key",
);

const HELP = `
The server stores no secret and shows it this once. The file has the mode 0600 and must not be there before.
Without --out it is shown among the other facts.
Roles ${BINDABLE_ROLES.join(", ")} take --agents and --namespaces.

Exit codes: 0 every gateway accepts it, 1 it is refused, 2 wrong usage, 3 a gateway has not confirmed, or no
answer came, 4 the key may not make this key`;
