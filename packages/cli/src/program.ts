import { renderVariables } from "@svc/process/render-help";
import { VERSION } from "@svc/process/version";
import { Command } from "commander";
import { agentsCommand } from "./agents/command.ts";
import { alertsCommand } from "./alerts/command.ts";
import { approvalsCommand } from "./approvals/command.ts";
import { auditCommand } from "./audit/command.ts";
import { auditVerifyCommand } from "./audit-verify/command.ts";
import { channelsCommand } from "./channels/command.ts";
import { completionCommand } from "./completion/command.ts";
import { certificateCommand, reportCommand } from "./compliance/commands.ts";
import { cliEnvironment } from "./connection/server-options.ts";
import { contextCommand } from "./context/command.ts";
import { deployCommand } from "./deploy/command.ts";
import { devCommand } from "./dev/command.ts";
import { diffCommand } from "./diff/command.ts";
import { doctorCommand } from "./doctor/command.ts";
import { drillCommand } from "./drill/command.ts";
import { explainCommand } from "./explain/command.ts";
import { fmtCommand } from "./fmt/command.ts";
import { examples } from "./frame/examples.ts";
import type { Exit } from "./frame/exit-code.ts";
import { explainUsage } from "./frame/explain-usage.ts";
import { requireOneStdin } from "./frame/require-one-stdin.ts";
import type { Terminal } from "./frame/terminal.ts";
import { governanceCommand } from "./governance/command.ts";
import { guardrailsCommand } from "./guardrails/command.ts";
import { helpCommand } from "./help/command.ts";
import { hookCommand } from "./hook/command.ts";
import { initCommand } from "./init/command.ts";
import { integrationsCommand } from "./integrations/command.ts";
import { keysCommand } from "./keys/command.ts";
import { killCommand } from "./kill/command.ts";
import { listenCommand } from "./listen/command.ts";
import { loginCommand, logoutCommand, whoAmICommand } from "./login/command.ts";
import { policiesCommand } from "./policies/command.ts";
import { testCommand } from "./policy-test/command.ts";
import { rollbackCommand } from "./rollback/command.ts";
import { schemaCommand } from "./schema/command.ts";
import { statusCommand } from "./status/command.ts";
import { topCommand } from "./top/command.ts";
import { triggerCommand } from "./trigger/command.ts";
import { trustRulesCommand } from "./trust-rules/command.ts";
import { unkillCommand } from "./unkill/command.ts";
import { validateCommand } from "./validate/command.ts";
import { verifyCertificateCommand } from "./verify-certificate/command.ts";
import { versionCommand } from "./version/command.ts";
import { webhooksCommand } from "./webhooks/command.ts";

/** Every command. A command tells `exit` how it ended, or throws CommandFailure. */
export function makeProgram(terminal: Terminal, exit: Exit): Command {
  const program = new Command("svc-cli")
    .description("command line of the agent governance service")
    .version(`svc-cli ${VERSION}`, "--version", "show the version and exit")
    .addHelpText("before", EXAMPLES)
    .addHelpText("after", `\n${HELP}${renderVariables(cliEnvironment)}`)
    .allowExcessArguments(false)
    .hook("preAction", (_, command) => requireOneStdin(command))
    .commandsGroup("Write policies:")
    .addCommand(initCommand(terminal, exit))
    .addCommand(devCommand(terminal, exit))
    .addCommand(validateCommand(terminal, exit))
    .addCommand(fmtCommand(terminal, exit))
    .addCommand(testCommand(terminal, exit))
    .addCommand(explainCommand(terminal, exit))
    .addCommand(diffCommand(terminal, exit))
    .addCommand(guardrailsCommand(terminal, exit))
    .addCommand(schemaCommand(terminal, exit))
    .commandsGroup("Run policies:")
    .addCommand(deployCommand(terminal, exit))
    .addCommand(rollbackCommand(terminal, exit))
    .addCommand(governanceCommand(terminal, exit))
    .addCommand(policiesCommand(terminal, exit))
    .commandsGroup("Operate:")
    .addCommand(statusCommand(terminal, exit))
    .addCommand(topCommand(terminal, exit))
    .addCommand(killCommand(terminal, exit))
    .addCommand(unkillCommand(terminal, exit))
    .addCommand(agentsCommand(terminal, exit))
    .addCommand(alertsCommand(terminal, exit))
    .addCommand(approvalsCommand(terminal, exit))
    .addCommand(keysCommand(terminal, exit))
    .addCommand(trustRulesCommand(terminal, exit))
    .addCommand(webhooksCommand(terminal, exit))
    .addCommand(channelsCommand(terminal, exit))
    .addCommand(integrationsCommand(terminal, exit))
    .addCommand(doctorCommand(terminal, exit))
    .addCommand(drillCommand(terminal, exit))
    .commandsGroup("Evidence:")
    .addCommand(auditCommand(terminal, exit))
    .addCommand(complianceCommand(terminal, exit))
    .commandsGroup("Integrate:")
    .addCommand(hookCommand(terminal, exit))
    .addCommand(listenCommand(terminal, exit))
    .addCommand(triggerCommand(terminal, exit))
    .commandsGroup("Sign in:")
    .addCommand(loginCommand(terminal, exit))
    .addCommand(logoutCommand(terminal, exit))
    .addCommand(whoAmICommand(terminal, exit))
    .commandsGroup("This program:")
    .addCommand(contextCommand(terminal, exit))
    .addCommand(completionCommand(terminal, exit))
    .addCommand(versionCommand(terminal, exit))
    .addCommand(helpCommand(terminal, exit));
  prepare(program, terminal);
  return program;
}

function complianceCommand(terminal: Terminal, exit: Exit): Command {
  return new Command("compliance")
    .description("evidence for auditors")
    .addHelpText(
      "before",
      examples(
        "svc-cli compliance audit-verify --public-key keys.txt",
        "svc-cli compliance report --file export.ndjson --public-key keys.txt",
        "svc-cli compliance verify-certificate certificate.txt --public-key keys.txt",
      ),
    )
    .addCommand(auditVerifyCommand(terminal, exit))
    .addCommand(reportCommand(terminal, exit))
    .addCommand(certificateCommand(terminal, exit))
    .addCommand(verifyCertificateCommand(terminal, exit));
}

/** Characters of the lines of a help, whatever the terminal: docs/CLI.md shows the same lines. */
const HELP_WIDTH = 100;

/**
 * Commander passes no settings to an added command. This gives each the same streams, and makes it throw
 * instead of exit.
 */
function prepare(command: Command, terminal: Terminal): void {
  command.exitOverride().helpCommand(false).allowExcessArguments(false);
  // Options behind the name of a command are that command's, though the one above may have the same.
  command.enablePositionalOptions();
  command.configureOutput({
    writeOut: terminal.writeOut,
    writeErr: terminal.writeError,
    getOutHelpWidth: () => HELP_WIDTH,
    getErrHelpWidth: () => HELP_WIDTH,
    outputError: (message, write) => write(explainUsage(message, command)),
  });
  for (const child of command.commands) prepare(child, terminal);
}

const EXAMPLES = examples(
  "svc-cli dev --policies policies",
  "svc-cli init --agent support-bot --mcp http://127.0.0.1:3001/mcp",
  "svc-cli validate payments.yaml",
  "svc-cli test payments.yaml --mock payments.test.json",
  "svc-cli compliance audit-verify --url http://127.0.0.1:8080",
  'svc-cli kill agent refund-bot --reason "incident 7"',
  "svc-cli doctor",
  "svc-cli drill kill",
  "svc-cli hook install --agent my-agent --dry-run",
);

const HELP = `In a checkout: npm run -s svc-cli -- <command>
Exit codes: svc-cli help exit-codes

`;
