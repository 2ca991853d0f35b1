import { resolve } from "node:path";
import { Command } from "commander";
import type { Context } from "../connection/context-file.ts";
import { readKeyFile } from "../connection/read-key.ts";
import { examples } from "../frame/examples.ts";
import { CommandFailure, type Exit } from "../frame/exit-code.ts";
import { Output, type OutputOptions, withOutput } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";
import { overruledText, overrulingVariables } from "./overruling-variables.ts";

interface AddOptions extends OutputOptions {
  readonly url: string;
  readonly apiKeyFile?: string;
  readonly orgId?: string;
  readonly protected: boolean;
  readonly force: boolean;
}

/** `svc-cli context add`. The first context becomes the current one. */
export function addCommand(terminal: Terminal, exit: Exit): Command {
  return withOutput(new Command("add"))
    .description("name a server, and the file of its key")
    .argument("<name>", "what to call it")
    .requiredOption("--url <url>", "address of the server")
    .option("--api-key-file <file>", "file of mode 600 with the API key")
    .option("--org-id <id>", "organization of the key")
    .option("--protected", "ask for the name before a policy changes there; scripts pass --yes", false)
    .option("--force", "replace a context of this name", false)
    .addHelpText("after", HELP)
    .addHelpText(
      "before",
      examples("svc-cli context add prod --url https://svc.example --api-key-file ~/.config/svc/prod.key"),
    )
    .action(async (name: string, options: AddOptions) => {
      const { changeContexts } = await import("../connection/context-file.ts");
      const context = await contextOf(name, options, terminal);
      const chosen = await changeContexts(terminal, ({ current, contexts }) => {
        if (contexts[name] !== undefined && !options.force)
          throw new CommandFailure("usage", `there is a context ${name}: replace it with --force`);
        const value = current ?? name;
        return { contexts: { current: value, contexts: { ...contexts, [name]: context } }, value };
      });
      const next = chosen === name ? "It is the current one." : `Choose it with svc-cli context use ${name}`;
      const output = new Output(terminal, options);
      output.result({
        text: `The context ${name} is ${context.url}. ${next}\n`,
        schema: "svc.cli.context-add/v1",
        json: { name, ...context, current: chosen === name },
      });
      const overruling = chosen === name ? overrulingVariables(context, terminal) : [];
      if (overruling.length > 0) output.warn(overruledText(name, overruling));
      exit("ok");
    });
}

/** The key is read once, so that a wrong file shows now, and is not kept. */
async function contextOf(
  name: string,
  { url, apiKeyFile, orgId, protected: isProtected }: AddOptions,
  terminal: Terminal,
): Promise<Context> {
  const { contextSchema, nameSchema } = await import("../connection/context-file.ts");
  if (!nameSchema.safeParse(name).success)
    throw new CommandFailure(
      "usage",
      `expected a name of letters, digits, . _ and -, found ${JSON.stringify(name)}`,
    );
  const path = apiKeyFile === undefined ? undefined : resolve(terminal.workingDirectory, apiKeyFile);
  if (path !== undefined) readKeyFile(path);
  const parsed = contextSchema.safeParse({
    url,
    api_key_file: path,
    org_id: orgId,
    ...(isProtected ? { protected: true } : {}),
  });
  if (parsed.success) return parsed.data;
  throw new CommandFailure("usage", `--url: expected an http(s) address without a password`);
}

const HELP = `
The context goes to contexts.yaml in the folder of this user's settings. There it may also have seams, the
addresses at which calls pass an adapter. svc-cli doctor probes them when no option names one:

  seams: { mcp: "https://mcp.example", forward_auth: "https://checkgw.example" }

The names are envoy, mcp, forward_auth and guardrail.`;
