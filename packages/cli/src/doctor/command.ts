import { Command } from "commander";
import { withServer } from "../connection/server-options.ts";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import { withOutput } from "../frame/output.ts";
import { parseAddress } from "../frame/parse-options.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { DoctorOptions } from "./run-doctor.ts";

/** `svc-cli doctor`. It says ok only of what it has seen. */
export function doctorCommand(terminal: Terminal, exit: Exit): Command {
  return withOutput(withServer(new Command("doctor")))
    .description("check the server and the key, and prove at each seam that a deny denies")
    .option("--envoy <url>", "an address of Envoy that svc-extproc judges", parseAddress)
    .option("--mcp <url>", "the address that MCP clients use", parseAddress)
    .option(
      "--forward-auth <url>",
      "an address of a proxy with an auth hook, or of svc-checkgw",
      parseAddress,
    )
    .option("--guardrail <url>", "the webhook that LLM gateways ask", parseAddress)
    .option("--hook", "the hook of Claude Code in the settings of this user", false)
    .option("--agent <id>", "the agent that the seams are told (default: theirs, else svc-doctor)")
    .addHelpText("before", EXAMPLES)
    .addHelpText("after", HELP)
    .action(async (options: DoctorOptions) => {
      const { runDoctor } = await import("./run-doctor.ts");
      exit(await runDoctor(options, terminal));
    });
}

const EXAMPLES = examples(
  "svc-cli doctor",
  "svc-cli doctor --env prod --envoy http://10.0.0.7:8080",
  "svc-cli doctor --mcp http://127.0.0.1:9003/mcp --guardrail http://127.0.0.1:9004 --hook",
);

const HELP = `
The probe is a call of a tool that exists nowhere. A kill switch with an end of two minutes stops that tool
and nothing else before the probe is sent, and is ended afterwards, so no policy can allow the probe in any
mode. Both are in the audit log. A seam is ok only when its answer, or the log, proves a deny of the gateway.
Envoy and proxies with an auth hook get a GET of the address that you name; name one that the policy denies.

ok       as it must be
warn     to know, and no fault
fail     a call could run without a verdict, or nothing decides
unknown  it could not be judged

Exit codes: 0 every check is ok or a warning, 1 a check failed, 3 the server does not answer, 4 the key is
refused, 5 something is unknown and nothing failed`;
