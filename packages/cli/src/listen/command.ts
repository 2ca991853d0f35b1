import { WEBHOOK_TYPES, type WebhookType } from "@svc/contract/webhook-event";
import { nearestName } from "@svc/text/nearest-name";
import { Command, InvalidArgumentError } from "commander";
import { withServer } from "../connection/server-options.ts";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import { withStream } from "../frame/output.ts";
import { parseAddress } from "../frame/parse-options.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { ListenOptions } from "./run-listen.ts";

/** `svc-cli listen`. */
export function listenCommand(terminal: Terminal, exit: Exit): Command {
  return withStream(withServer(new Command("listen")))
    .description("deliver events to an address as webhooks, while a receiver is written")
    .option("--forward-to <url>", "where the deliveries go (default: events are only shown)", parseAddress)
    .option(
      "--events <list>",
      `which ones, with a comma between two (default: all)`,
      eventList,
      WEBHOOK_TYPES,
    )
    .option("--secret-file <file>", "file of mode 600 with the secret that signs (default: a new one)")
    .addHelpText("before", EXAMPLES)
    .addHelpText("after", HELP)
    .action(async (options: ListenOptions) => {
      const { runListen } = await import("./run-listen.ts");
      exit(await runListen(options, terminal));
    });
}

function eventList(text: string): readonly WebhookType[] {
  return text.split(",").map((name) => {
    const type = WEBHOOK_TYPES.find((one) => one === name);
    if (type !== undefined) return type;
    const nearest = nearestName(name, WEBHOOK_TYPES);
    const hint = nearest === null ? "." : `, did you mean ${nearest}?`;
    throw new InvalidArgumentError(
      `expected some of ${WEBHOOK_TYPES.join(", ")}, found ${JSON.stringify(name)}${hint}`,
    );
  });
}

const EXAMPLES = examples(
  "svc-cli listen --forward-to http://127.0.0.1:3000/hooks",
  "svc-cli listen --forward-to http://127.0.0.1:3000/hooks --events killswitch.activated,approval.requested",
);

const HELP = `
Each delivery is signed as the service signs its own, and verifyWebhook of the client libraries reads it. It
is sent once, and its status is shown. The key needs the scope event:read.

Exit codes: 3 the server does not answer, 4 the key is refused, 130 interrupted`;
