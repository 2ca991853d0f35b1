import { GOVERNANCE_MODES } from "@svc/contract/verdict";
import { Command, Option } from "commander";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import { withOutput } from "../frame/output.ts";
import { parseDuration } from "../frame/parse-options.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { InitOptions } from "./init-project.ts";
import { CI_SYSTEMS } from "./render-ci.ts";
import { STARTERS } from "./starters/starter-table.ts";

/** `svc-cli init`. */
export function initCommand(terminal: Terminal, exit: Exit): Command {
  return withOutput(new Command("init"))
    .description("create a policy for the tools of an agent, its test cases, svc.yaml and a CI file")
    .argument("[folder]", "where; the folder is created", ".")
    .option("--tools <names>", "the tools, with commas between them")
    .option("--mcp <server>", "ask an MCP server for its tools: an http(s) address, or a command in quotes")
    .option("--starter <name>", "what the tools do, by a policy written for a known MCP server")
    .option("--read-only <names>", "those of the tools that only read, by your own word")
    .option("--agent <id>", "the agent that the policy governs (default: the name of the folder)")
    .addOption(
      new Option("--mode <mode>", "governance mode of the policy")
        .choices(GOVERNANCE_MODES)
        .default("enforcement"),
    )
    .addOption(new Option("--ci <system>", "write a CI file").choices(CI_SYSTEMS).default("none"))
    .option(
      "--timeout <duration>",
      "how long the MCP server has to list its tools (default: 60s, and 5m for a command)",
      parseDuration,
    )
    .option("--dry-run", "show the files and create none", false)
    .option("--yes", "do not ask", false)
    .addHelpText("before", EXAMPLES)
    .addHelpText("after", HELP)
    .action(async (folder: string, options: InitOptions) => {
      const { initProject } = await import("./init-project.ts");
      exit(await initProject(folder, options, terminal));
    });
}

const EXAMPLES = examples(
  "svc-cli init --agent support-bot --tools kb.search,crm.update --read-only kb.search",
  "svc-cli init --agent support-bot --mcp http://127.0.0.1:3001/mcp --ci github",
  "svc-cli init --agent support-bot --starter slack",
  'svc-cli init agents/files --mcp "npx -y @modelcontextprotocol/server-filesystem /srv/docs" --dry-run',
);

const HELP = `
The policy denies every tool that it does not list. A tool that only reads runs without a person; every
other one asks. What a tool does is what its MCP server says of it (readOnlyHint, destructiveHint), and a
server can be wrong. A starter policy was written by hand from the tools of a known MCP server: it denies
what no agent needs, and lets an approval hold for several calls where that is safe. init says when one
matches. Alone, --starter stands for the tools of its server. A file that is there already is never
overwritten.

Starter policies: ${STARTERS.map(({ name }) => name).join(", ")}

Exit codes: 0 created, 1 not wanted, or the tools make no policy, 2 an option is wrong or a file is there
already, 3 the MCP server did not list its tools, 4 it wants a key`;
