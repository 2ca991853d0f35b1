import { resolve } from "node:path/posix";
import { nearestName } from "@svc/text/nearest-name";
import { Command } from "commander";
import type { Context, Contexts } from "../connection/context-file.ts";
import { readKeyFile } from "../connection/read-key.ts";
import { examples } from "../frame/examples.ts";
import { CommandFailure, type Exit } from "../frame/exit-code.ts";
import { Output, type OutputOptions, withOutput } from "../frame/output.ts";
import { renderTable } from "../frame/tables.ts";
import type { Terminal } from "../frame/terminal.ts";

/** `svc-cli context`: the servers of a user, by name. */
export function contextCommand(terminal: Terminal, exit: Exit): Command {
  return new Command("context")
    .description("name the servers that you use, and choose one")
    .addHelpText(
      "before",
      examples(
        "svc-cli context add prod --url https://svc.example --api-key-file ~/.config/svc/prod.key",
        "svc-cli context use prod",
        "svc-cli context list",
      ),
    )
    .addCommand(listCommand(terminal, exit))
    .addCommand(useCommand(terminal, exit))
    .addCommand(addCommand(terminal, exit));
}

/** `svc-cli context list`. */
export function listCommand(terminal: Terminal, exit: Exit): Command {
  return withOutput(new Command("list"))
    .description("list your contexts")
    .addHelpText("before", examples("svc-cli context list", "svc-cli context list -o json"))
    .action(async (options: OutputOptions) => {
      const { contextsPath, readContexts } = await import("../connection/context-file.ts");
      const output = new Output(terminal, options);
      const { current, contexts } = readContexts(terminal);
      const items = Object.entries(contexts).map(
        ([name, { url, api_key_file, org_id, protected: isProtected }]) => ({
          name,
          current: name === current,
          url,
          api_key_file: api_key_file ?? null,
          org_id: org_id ?? null,
          protected: isProtected === true,
        }),
      );
      const rows = items.map(
        ({ name, current: isCurrent, url, api_key_file, org_id, protected: isProtected }) => [
          isCurrent ? "*" : "",
          name,
          url,
          api_key_file ?? "",
          org_id ?? "",
          isProtected ? "yes" : "",
        ],
      );
      output.result({
        text:
          items.length === 0
            ? `There is no context in ${contextsPath(terminal)}. Make one with svc-cli context add\n`
            : renderTable(
                ["", "NAME", "URL", "API KEY FILE", "ORGANIZATION", "PROTECTED"],
                rows,
                output.isTerminal,
              ),
        schema: "svc.cli.contexts/v1",
        json: { contexts: items },
        items,
      });
      exit("ok");
    });
}

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

/** `svc-cli context use`. */
function useCommand(terminal: Terminal, exit: Exit): Command {
  return withOutput(new Command("use"))
    .description("choose the context of commands that name none")
    .argument("<name>", "the context")
    .addHelpText("before", examples("svc-cli context use prod"))
    .action(async (name: string, options: OutputOptions) => {
      const { changeContexts, readContexts } = await import("../connection/context-file.ts");
      // A name that nobody has is refused before a folder is made.
      knownContext(name, readContexts(terminal));
      const { before, context } = await changeContexts(terminal, (all) => ({
        contexts: { current: name, contexts: all.contexts },
        value: { before: all.current, context: knownContext(name, all) },
      }));
      const undo = before === null || before === name ? "" : `Undo: svc-cli context use ${before}\n`;
      const output = new Output(terminal, options);
      const overruled_by = overrulingVariables(context, terminal);
      output.result({
        text: `Commands that name no server now ask ${context.url}, the context ${name}.\n${undo}`,
        schema: "svc.cli.context-use/v1",
        json: { current: name, before, overruled_by },
      });
      if (overruled_by.length > 0) output.warn(overruledText(name, overruled_by));
      exit("ok");
    });
}

function knownContext(name: string, { contexts }: Contexts): Context {
  const context = contexts[name];
  if (context !== undefined) return context;
  const nearest = nearestName(name, Object.keys(contexts));
  const hint = nearest === null ? "see svc-cli context list" : `did you mean ${nearest}?`;
  throw new CommandFailure("usage", `no context ${JSON.stringify(name)}: ${hint}`);
}

const OF_ADDRESS = ["SVC_URL"] as const;
const OF_KEY = ["SVC_API_KEY", "SVC_API_KEY_FILE"] as const;

/** Variables that are set, and win over the current context. */
function overrulingVariables(context: Context, { environment }: Terminal): readonly string[] {
  const names = context.api_key_file === undefined ? OF_ADDRESS : [...OF_ADDRESS, ...OF_KEY];
  return names.filter((name) => (environment[name] ?? "") !== "");
}

/** What to do about them. */
function overruledText(name: string, variables: readonly string[]): string {
  const [are, them] = variables.length === 1 ? ["is set and wins", "it"] : ["are set and win", "them"];
  return (
    `${variables.join(" and ")} ${are} over the current context. ` +
    `Unset ${them}, or name the context in each command: --context ${name}`
  );
}
