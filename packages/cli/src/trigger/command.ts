import { WEBHOOK_TYPES, type WebhookType } from "@svc/contract/webhook-event";
import { Argument, Command } from "commander";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import { withOutput } from "../frame/output.ts";
import { parseAddress } from "../frame/parse-options.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { TriggerOptions } from "./trigger-event.ts";

/** `svc-cli trigger`. Asks no server: the event is about things that do not exist. */
export function triggerCommand(terminal: Terminal, exit: Exit): Command {
  return withOutput(new Command("trigger"))
    .description("deliver a sample of an event as a webhook")
    .addArgument(new Argument("<event>", "which one").choices(WEBHOOK_TYPES))
    .option("--to <url>", "where it goes (default: where the running svc-cli listen delivers)", parseAddress)
    .option("--secret-file <file>", "with --to: file of mode 600 with the secret that signs")
    .addHelpText("before", EXAMPLES)
    .addHelpText("after", HELP)
    .action(async (type: WebhookType, options: TriggerOptions) => {
      const { triggerEvent } = await import("./trigger-event.ts");
      exit(await triggerEvent(type, options, terminal));
    });
}

const EXAMPLES = examples(
  "svc-cli trigger killswitch.activated",
  "svc-cli trigger approval.requested --to http://127.0.0.1:3000/hooks --secret-file hook.secret",
);

const HELP = `
Exit codes: 0 the receiver answered 200 to 299, 1 it answered otherwise or not at all, 2 no svc-cli listen
runs and --to is missing, 3 svc-cli listen does not say what became of it`;
