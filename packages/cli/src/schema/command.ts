import { renderPolicySchema } from "@svc/engine/policy-schema";
import { Command } from "commander";
import type { Terminal } from "../terminal.ts";

/** `svc-cli schema`. Needs no server. */
export function schemaCommand({ writeOut }: Terminal, exit: () => void): Command {
  return new Command("schema")
    .description("print the JSON Schema of policy documents, for editors")
    .addHelpText("before", EXAMPLE)
    .addHelpText("after", HELP)
    .action(() => {
      writeOut(renderPolicySchema());
      exit();
    });
}

const EXAMPLE = `Example:
  npm run -s svc-cli -- schema > policy.schema.json
`;

const HELP = `
Name the file in the first line of a policy:
  # yaml-language-server: $schema=policy.schema.json
`;
