import { renderVariables } from "@svc/process/render-help";
import { VERSION } from "@svc/process/version";
import { Command, CommanderError } from "commander";
import { auditVerifyCommand } from "./audit-verify/command.ts";
import { drillCommand } from "./drill/command.ts";
import { CommandFailure, EXIT_CODES, type ExitCode } from "./exit-code.ts";
import { hookCommand } from "./hook/command.ts";
import { printable } from "./printable.ts";
import { schemaCommand } from "./schema/command.ts";
import { cliEnvironment } from "./server-options.ts";
import type { Terminal } from "./terminal.ts";
import { validateCommand } from "./validate/command.ts";
import { verifyCertificateCommand } from "./verify-certificate/command.ts";

const EXAMPLES = `Examples:
  npm run -s svc-cli -- compliance audit-verify --url http://127.0.0.1:8080
  npm run -s svc-cli -- compliance audit-verify --file export.ndjson --public-key keys.txt
  npm run -s svc-cli -- compliance verify-certificate certificate.txt --public-key keys.txt
  npm run -s svc-cli -- validate payments.yaml
  npm run -s svc-cli -- drill kill
  npm run -s svc-cli -- hook install --agent my-agent --dry-run
  npm run -s svc-cli -- schema > policy.schema.json
`;

/** Runs one command line, without node and script name. Resolves to the exit code whatever happens. */
export async function runCli(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  let exitCode: ExitCode = EXIT_CODES.defect;
  const program = new Command("svc-cli")
    .description("command line of the agent governance service")
    .version(`svc-cli ${VERSION}`, "--version", "show the version and exit")
    .addHelpText("before", EXAMPLES)
    .addHelpText("after", `\n${renderVariables(cliEnvironment)}`)
    .allowExcessArguments(false)
    .addCommand(
      new Command("compliance")
        .description("evidence for auditors")
        .addCommand(auditVerifyCommand(terminal, (outcome) => (exitCode = EXIT_CODES[outcome])))
        .addCommand(verifyCertificateCommand(terminal, (outcome) => (exitCode = EXIT_CODES[outcome]))),
    )
    .addCommand(validateCommand(terminal, (outcome) => (exitCode = EXIT_CODES[outcome])))
    .addCommand(drillCommand(terminal, (outcome) => (exitCode = EXIT_CODES[outcome])))
    .addCommand(hookCommand(terminal, (outcome) => (exitCode = EXIT_CODES[outcome])))
    .addCommand(schemaCommand(terminal, () => (exitCode = EXIT_CODES.ok)));
  prepare(program, terminal);
  try {
    await program.parseAsync(args, { from: "user" });
    return exitCode;
  } catch (error) {
    return explain(error, terminal);
  }
}

/**
 * Commander passes no settings to an added command. This gives each the same streams, and makes it throw
 * instead of exit.
 */
function prepare(command: Command, terminal: Terminal): void {
  command.exitOverride().configureOutput({ writeOut: terminal.writeOut, writeErr: terminal.writeError });
  for (const child of command.commands) prepare(child, terminal);
}

function explain(error: unknown, { writeError }: Terminal): ExitCode {
  // Commander has printed its own message, or the help that was asked for.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT_CODES.ok : EXIT_CODES.usage;
  if (error instanceof CommandFailure) {
    writeError(`error: ${printable(error.message)}\n`);
    return error.exitCode;
  }
  writeError(`defect: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  return EXIT_CODES.defect;
}
