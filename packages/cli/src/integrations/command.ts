import { INTEGRATION_KINDS, ROW_FORMATS } from "@svc/contract/integration-kinds";
import { Argument, Command, Option } from "commander";
import { withServer } from "../connection/server-options.ts";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import { withOutput } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";
import type {
  AddIntegrationOptions,
  IntegrationChangeOptions,
  UpdateIntegrationOptions,
} from "./change-integration.ts";
import type { IntegrationsOptions } from "./integrations.ts";

const ID = "int_5c2a9f3e1b7d";
const ADD = "svc-cli integrations add siem_http --name SIEM --to https://siem.example.com/raw";

/** `svc-cli integrations`. */
export function integrationsCommand(terminal: Terminal, exit: Exit): Command {
  return new Command("integrations")
    .description("write the audit log to other systems, and see how far each of them is")
    .addHelpText("before", examples("svc-cli integrations list", ADD, `svc-cli integrations show ${ID}`))
    .addCommand(listCommand(terminal, exit))
    .addCommand(showCommand(terminal, exit))
    .addCommand(addCommand(terminal, exit))
    .addCommand(testCommand(terminal, exit))
    .addCommand(updateCommand(terminal, exit))
    .addCommand(removeCommand(terminal, exit));
}

function asking(name: string): Command {
  return withOutput(withServer(new Command(name)));
}

function changing(name: string): Command {
  return asking(name)
    .option("--dry-run", "say what would change, and change nothing", false)
    .option("--yes", "do not ask in a protected environment", false);
}

/** What an integration has. Which of it a kind has, the server says. */
function withFields(command: Command): Command {
  return command
    .option("--name <name>", "what people call it")
    .option("--description <text>", "what it is for")
    .option("--to <url>", "where rows are sent, or the address of a store or of an API")
    .option("--host <host>", "for syslog: who takes it")
    .option("--port <port>", "for syslog: its port (default: 6514)", Number)
    .addOption(new Option("--format <format>", "what a row is sent as (default: rows)").choices(ROW_FORMATS))
    .option("--region <region>", "for object_store: the region that requests are signed for")
    .option("--bucket <bucket>", "for object_store: where objects are put")
    .option("--prefix <prefix>", "for object_store: begins the name of every object")
    .option("--access-key-id <id>", "for object_store: names the key that signs")
    .option("--repository <owner/name>", "for github: the repository that is read")
    .option(
      "--secret-file <file>",
      "file of mode 600 with its secret: the header authorization, the key that signs, or the token",
    );
}

function listCommand(terminal: Terminal, exit: Exit): Command {
  return asking("list")
    .description("list integrations, the newest first")
    .addHelpText("before", examples("svc-cli integrations list", "svc-cli integrations list -o json"))
    .action(async (options: IntegrationsOptions) => {
      const { listIntegrations } = await import("./integrations.ts");
      exit(await listIntegrations(options, terminal));
    });
}

function showCommand(terminal: Terminal, exit: Exit): Command {
  return asking("show")
    .description("show an integration, how far its receiver is and how it fares")
    .argument("<id>", "the id that svc-cli integrations list prints")
    .addHelpText("before", examples(`svc-cli integrations show ${ID}`))
    .action(async (id: string, options: IntegrationsOptions) => {
      const { showIntegration } = await import("./integrations.ts");
      exit(await showIntegration(id, options, terminal));
    });
}

function addCommand(terminal: Terminal, exit: Exit): Command {
  return withFields(changing("add"))
    .description("send every row of the audit log to another system from now on, or read a repository")
    .addArgument(new Argument("<kind>", "what it is connected to").choices(INTEGRATION_KINDS))
    .option("--disabled", "send nothing until it is enabled", false)
    .addHelpText(
      "before",
      examples(
        `${ADD} --format ocsf --secret-file siem.secret`,
        "svc-cli integrations add syslog --name syslog --host syslog.example.com",
      ),
    )
    .action(async (kind: (typeof INTEGRATION_KINDS)[number], options: AddIntegrationOptions) => {
      const { addIntegration } = await import("./change-integration.ts");
      exit(await addIntegration(kind, options, terminal));
    });
}

function testCommand(terminal: Terminal, exit: Exit): Command {
  return asking("test")
    .description("send one sample row now, or read the repository, and show what the other side answered")
    .argument("<id>", "the id that svc-cli integrations list prints")
    .addHelpText("before", examples(`svc-cli integrations test ${ID}`))
    .action(async (id: string, options: IntegrationsOptions) => {
      const { testIntegration } = await import("./integrations.ts");
      exit(await testIntegration(id, options, terminal));
    });
}

function updateCommand(terminal: Terminal, exit: Exit): Command {
  return withFields(changing("update"))
    .description("change an integration; what is not named stays as it is")
    .argument("<id>", "the id that svc-cli integrations list prints")
    .option("--enable", "send rows again, beginning with those that were left", false)
    .option("--disable", "send nothing for now", false)
    .addHelpText(
      "before",
      examples(
        `svc-cli integrations update ${ID} --secret-file siem.secret`,
        `svc-cli integrations update ${ID} --disable`,
      ),
    )
    .action(async (id: string, options: UpdateIntegrationOptions) => {
      const { updateIntegration } = await import("./change-integration.ts");
      exit(await updateIntegration(id, options, terminal));
    });
}

function removeCommand(terminal: Terminal, exit: Exit): Command {
  return changing("remove")
    .description("remove an integration with its secret and its place in the log")
    .argument("<id>", "the id that svc-cli integrations list prints")
    .addHelpText("before", examples(`svc-cli integrations remove ${ID}`))
    .action(async (id: string, options: IntegrationChangeOptions) => {
      const { removeIntegration } = await import("./change-integration.ts");
      exit(await removeIntegration(id, options, terminal));
    });
}
