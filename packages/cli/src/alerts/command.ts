import { ALERT_STATUSES } from "@svc/contract/alert";
import { Command, Option } from "commander";
import { withServer } from "../connection/server-options.ts";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import { withOutput } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { AcknowledgeOptions, ListAlertsOptions } from "./alerts.ts";

/** `svc-cli alerts`. */
export function alertsCommand(terminal: Terminal, exit: Exit): Command {
  return new Command("alerts")
    .description("see what somebody has to look at, and say that you do")
    .addHelpText(
      "before",
      examples("svc-cli alerts list", 'svc-cli alerts ack alert_5c2a9f3e1b7d --note "I look at it"'),
    )
    .addCommand(listCommand(terminal, exit))
    .addCommand(acknowledgeCommand(terminal, exit));
}

function listCommand(terminal: Terminal, exit: Exit): Command {
  const status = new Option("--status <status>", "unresolved: open and acknowledged ones")
    .choices(["unresolved", ...ALERT_STATUSES, "all"])
    .default("unresolved");
  return withOutput(withServer(new Command("list")))
    .description("list alerts, the newest first")
    .addOption(status)
    .addHelpText("before", examples("svc-cli alerts list", "svc-cli alerts list --status all -o json"))
    .addHelpText("after", "\ndocs/RUNBOOK.md says for each condition what it means and what to do first.")
    .action(async (options: ListAlertsOptions) => {
      const { listAlerts } = await import("./alerts.ts");
      exit(await listAlerts(options, terminal));
    });
}

function acknowledgeCommand(terminal: Terminal, exit: Exit): Command {
  return withOutput(withServer(new Command("ack")))
    .description("say that you look at an alert; it ends by itself when its condition does")
    .argument("<alert-id>", "the id that svc-cli alerts list prints")
    .option("--note <text>", "for those who look at it later")
    .option("--dry-run", "say what would be acknowledged, and change nothing", false)
    .addHelpText("before", examples('svc-cli alerts ack alert_5c2a9f3e1b7d --note "I look at it"'))
    .action(async (id: string, options: AcknowledgeOptions) => {
      const { acknowledgeAlert } = await import("./alerts.ts");
      exit(await acknowledgeAlert(id, options, terminal));
    });
}
