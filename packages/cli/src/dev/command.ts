import { LOG_FORMAT_VARIABLE } from "@svc/process/log-format";
import { Command, InvalidArgumentError } from "commander";
import { readVariables } from "../connection/server-options.ts";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import { type OutputFormat, withStream } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { DevOptions } from "./run-dev.ts";

/** `svc-cli dev`: everything that decides calls, on this machine, for as long as it runs. */
export function devCommand(terminal: Terminal, exit: Exit): Command {
  return withStream(new Command("dev"))
    .description("run the server and the adapters here, load policies as they are saved, and show decisions")
    .option("--policies <folder>", "its policy files are in force; it need not exist yet (default: policies)")
    .option("--port <port>", "port of the server; 0 picks a free one", port, 8080)
    .option("--adapter-port <port>", "first of three ports of the adapters; 0 picks free ones", port, 9002)
    .option("--mcp <url>", "put svc-mcp-proxy before this MCP server (Streamable HTTP)")
    .option("--agent <id>", "the agent that the adapters name where a call names none")
    .option("--data <folder>", "keep the data here (default: a temporary folder, which goes at the end)")
    .option("--name <context>", "the context by which other commands find the server", "dev")
    .option("--server <file>", "the dev.js of svc-server; by default the one built beside svc-cli")
    .addHelpText("before", EXAMPLES)
    .addHelpText("after", HELP)
    .action(async (options: DevOptions, command: Command) => {
      const output = formOf(options.output, command.getOptionValueSource("output"), terminal);
      const { runDev } = await import("./run-dev.ts");
      exit(await runDev({ ...options, output }, terminal));
    });
}

/** `SVC_LOG_FORMAT`, which every program reads, counts where no option names a form. */
function formOf(given: OutputFormat, source: string | undefined, terminal: Terminal): OutputFormat {
  const { SVC_LOG_FORMAT: format } = readVariables(
    { SVC_LOG_FORMAT: LOG_FORMAT_VARIABLE },
    terminal.environment,
  );
  return source === "default" && format === "json" ? "ndjson" : given;
}

/** The last port that three ports can begin at. */
const MAX_PORT = 65_533;

function port(text: string): number {
  const value = /^[0-9]{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (value <= MAX_PORT) return value;
  throw new InvalidArgumentError(`expected a port from 0 to ${String(MAX_PORT)}.`);
}

const EXAMPLES = examples(
  "svc-cli dev --policies policies",
  "svc-cli dev --mcp http://127.0.0.1:3001/mcp --agent my-agent",
  "svc-cli dev --port 0 --adapter-port 0 --name second -o ndjson",
);

const HELP = `
It listens on loopback only, and asks for a key that it makes at each start. The key is in a file of mode 600,
and the context names that file. A second context, such as dev-approver, has a key of role approver: the key
that asks for a call cannot approve it. A policy file that is refused changes nothing: the version before it
stays in force. A file that is gone takes its policy out of force. Ctrl-C ends everything, and removes the
contexts, the keys and the temporary data. SVC_LOG_FORMAT=json is the same as -o ndjson.

Exit codes: 2 it cannot start, 3 the server ended by itself, 130 interrupted`;
