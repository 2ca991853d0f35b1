import { Command } from "commander";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import type { Terminal } from "../frame/terminal.ts";

/** `svc-cli schema`. Needs no server. */
export function schemaCommand({ writeOut }: Terminal, exit: Exit): Command {
  return new Command("schema")
    .description("print the JSON Schema of policy documents, for editors")
    .addHelpText("before", EXAMPLES)
    .addHelpText("after", HELP)
    .action(async () => {
      const { renderPolicySchema } = await import("@svc/engine/policy-schema");
      writeOut(renderPolicySchema());
      exit("ok");
    });
}

const EXAMPLES = examples("svc-cli schema > policy.schema.json");

const HELP = `
Name the file in the first line of a policy:
  # yaml-language-server: $schema=policy.schema.json
`;
