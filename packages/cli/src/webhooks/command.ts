import { listValues } from "@svc/contract/list-values";
import { DECISIONS } from "@svc/contract/verdict";
import { WEBHOOK_TYPES } from "@svc/contract/webhook-event";
import { Command, Option } from "commander";
import { withServer } from "../connection/server-options.ts";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import { withOutput } from "../frame/output.ts";
import { parseMoment, parseOverlap } from "../frame/parse-options.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { AddWebhookOptions, RotateWebhookOptions } from "./add-webhook.ts";
import type {
  ListDeliveriesOptions,
  ResendOptions,
  SendAgainOptions,
  TestWebhookOptions,
} from "./deliveries.ts";
import type { ListWebhooksOptions, WebhookChange, WebhookChangeOptions } from "./webhooks.ts";

const ADD =
  "svc-cli webhooks add https://hooks.example.com/svc --events killswitch.activated --out hook.secret";

/** `svc-cli webhooks`. */
export function webhooksCommand(terminal: Terminal, exit: Exit): Command {
  const command = new Command("webhooks")
    .description("who is told what happens, and what became of it")
    .addHelpText("before", examples("svc-cli webhooks list", ADD))
    .addCommand(listCommand(terminal, exit))
    .addCommand(showCommand(terminal, exit))
    .addCommand(addCommand(terminal, exit))
    .addCommand(rotateCommand(terminal, exit));
  for (const [name, description] of CHANGES)
    command.addCommand(changeCommand(name, description, terminal, exit));
  return command
    .addCommand(testCommand(terminal, exit))
    .addCommand(deliveriesCommand(terminal, exit))
    .addCommand(replayCommand(terminal, exit))
    .addCommand(resendCommand(terminal, exit));
}

const CHANGES: readonly (readonly [WebhookChange, string])[] = [
  ["enable", "let a webhook get deliveries again, beginning with what it missed"],
  ["disable", "let a webhook get no deliveries"],
  ["remove", "remove a webhook with its secrets and the list of its deliveries"],
];

const OUT = "write the secret to this file of mode 600 (default: show it, this once)";

function asking(name: string): Command {
  return withOutput(withServer(new Command(name)));
}

function changing(name: string): Command {
  return asking(name)
    .option("--dry-run", "say what would change, and change nothing", false)
    .option("--yes", "do not ask in a protected environment", false);
}

function listCommand(terminal: Terminal, exit: Exit): Command {
  return asking("list")
    .description("list webhooks, the newest first")
    .addHelpText("before", examples("svc-cli webhooks list", "svc-cli webhooks list -o json"))
    .action(async (options: ListWebhooksOptions) => {
      const { listWebhooks } = await import("./webhooks.ts");
      exit(await listWebhooks(options, terminal));
    });
}

function showCommand(terminal: Terminal, exit: Exit): Command {
  return asking("show")
    .description("show a webhook, how far it is and how it fares")
    .argument("<id>", "the webhook")
    .addHelpText("before", examples("svc-cli webhooks show whk_5c2a9f3e1b7d"))
    .action(async (id: string, options: ListWebhooksOptions) => {
      const { showWebhook } = await import("./webhooks.ts");
      exit(await showWebhook(id, options, terminal));
    });
}

function addCommand(terminal: Terminal, exit: Exit): Command {
  return changing("add")
    .description("deliver events to an address from now on")
    .argument("<url>", "where they are sent")
    .option("--events <list>", "kinds of events, separated by commas (default: every kind)", listValues)
    .option("--agents <list>", "leave out events that name another agent", listValues)
    .option("--namespaces <list>", "leave out events that name another namespace", listValues)
    .option("--decisions <list>", `only decisions of these: ${DECISIONS.join(", ")}`, listValues)
    .option("--description <text>", "what it is for")
    .option("--disabled", "deliver nothing until it is enabled", false)
    .option("--out <file>", OUT)
    .addHelpText("before", examples(ADD))
    .action(async (url: string, options: AddWebhookOptions) => {
      const { addWebhook } = await import("./add-webhook.ts");
      exit(await addWebhook(url, options, terminal));
    });
}

function rotateCommand(terminal: Terminal, exit: Exit): Command {
  return changing("rotate-secret")
    .description("make the next secret of a webhook, which signs beside the present one until it takes over")
    .argument("<id>", "the webhook")
    .option("--overlap <duration>", "until it takes over, such as 24h (default); 0s: at once", parseOverlap)
    .option("--activate", "let the secret of the last rotation take over now", false)
    .option("--out <file>", OUT)
    .addHelpText(
      "before",
      examples(
        "svc-cli webhooks rotate-secret whk_5c2a9f3e1b7d --out hook-next.secret",
        "svc-cli webhooks rotate-secret whk_5c2a9f3e1b7d --activate",
      ),
    )
    .action(async (id: string, options: RotateWebhookOptions) => {
      const { rotateWebhook } = await import("./add-webhook.ts");
      exit(await rotateWebhook(id, options, terminal));
    });
}

function changeCommand(name: WebhookChange, description: string, terminal: Terminal, exit: Exit): Command {
  return changing(name)
    .description(description)
    .argument("<id>", "the webhook")
    .addHelpText("before", examples(`svc-cli webhooks ${name} whk_5c2a9f3e1b7d`))
    .action(async (id: string, options: WebhookChangeOptions) => {
      const { changeWebhook } = await import("./webhooks.ts");
      exit(await changeWebhook(name, id, options, terminal));
    });
}

function testCommand(terminal: Terminal, exit: Exit): Command {
  return asking("test")
    .description("send a sample to a webhook now, and say what the receiver answered")
    .argument("<id>", "the webhook")
    .addOption(new Option("--event <kind>", "the kind of the sample").choices(WEBHOOK_TYPES))
    .option("--yes", "do not ask in a protected environment", false)
    .addHelpText("before", examples("svc-cli webhooks test whk_5c2a9f3e1b7d --event killswitch.activated"))
    .action(async (id: string, options: TestWebhookOptions) => {
      const { testWebhook } = await import("./deliveries.ts");
      exit(await testWebhook(id, options, terminal));
    });
}

function deliveriesCommand(terminal: Terminal, exit: Exit): Command {
  return asking("deliveries")
    .description("list attempts to deliver, the newest first, or deliveries that wait or are dead")
    .argument("<id>", "the webhook")
    .addOption(
      new Option("--status <status>", "delivered or failed attempts; waiting or dead deliveries").choices([
        "delivered",
        "failed",
        "waiting",
        "dead",
      ]),
    )
    .option("--since <time>", "of this time or later, or how long ago, such as 30m", parseMoment)
    .option("--all", "every page, not the first one alone", false)
    .addHelpText(
      "before",
      examples("svc-cli webhooks deliveries whk_5c2a9f3e1b7d --status failed --since 1h"),
    )
    .action(async (id: string, options: ListDeliveriesOptions) => {
      const { listDeliveries } = await import("./deliveries.ts");
      exit(await listDeliveries(id, options, terminal));
    });
}

function replayCommand(terminal: Terminal, exit: Exit): Command {
  return asking("replay")
    .description("deliver one event again, under the id that it had")
    .argument("<delivery>", "the delivery, which begins with dlv_")
    .option("--yes", "do not ask in a protected environment", false)
    .addHelpText("before", examples("svc-cli webhooks replay dlv_9f86d081884c7d659a2feaa0c55ad015"))
    .action(async (delivery: string, options: SendAgainOptions) => {
      const { replayDelivery } = await import("./deliveries.ts");
      exit(await replayDelivery(delivery, options, terminal));
    });
}

function resendCommand(terminal: Terminal, exit: Exit): Command {
  return changing("resend")
    .description("deliver the events of a time again, each under the id that it had")
    .argument("<id>", "the webhook")
    .option("--since <time>", "of this time or later, or how long ago, such as 2h (required)", parseMoment)
    .option("--until <time>", "before this time (default: now)", parseMoment)
    .option("--dead", "only those whose deliveries failed for good", false)
    .addHelpText(
      "before",
      examples(
        "svc-cli webhooks resend whk_5c2a9f3e1b7d --since 2h",
        "svc-cli webhooks resend whk_5c2a9f3e1b7d --since 30d --dead --dry-run",
      ),
    )
    .action(async (id: string, options: ResendOptions) => {
      const { resendEvents } = await import("./deliveries.ts");
      exit(await resendEvents(id, options, terminal));
    });
}
