import { listValues } from "@svc/contract/list-values";
import { Command } from "commander";
import { withServer } from "../connection/server-options.ts";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import { withOutput } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { ChannelChangeOptions, PutChannelOptions } from "./change-channel.ts";
import type { ChannelsOptions } from "./channels.ts";

const PUT = "svc-cli channels put operations --slack-file operations.url";

/** `svc-cli channels`. */
export function channelsCommand(terminal: Terminal, exit: Exit): Command {
  return new Command("channels")
    .description("say who is told what happens, and see whether a message arrives")
    .addHelpText("before", examples("svc-cli channels list", PUT, "svc-cli channels test operations"))
    .addCommand(listCommand(terminal, exit))
    .addCommand(putCommand(terminal, exit))
    .addCommand(removeCommand(terminal, exit))
    .addCommand(testCommand(terminal, exit));
}

function listCommand(terminal: Terminal, exit: Exit): Command {
  return withOutput(withServer(new Command("list")))
    .description("list notification channels, the newest first")
    .addHelpText("before", examples("svc-cli channels list", "svc-cli channels list -o json"))
    .action(async (options: ChannelsOptions) => {
      const { listChannels } = await import("./channels.ts");
      exit(await listChannels(options, terminal));
    });
}

function changing(name: string): Command {
  return withOutput(withServer(new Command(name)))
    .option("--dry-run", "say what would change, and change nothing", false)
    .option("--yes", "do not ask in a protected environment", false);
}

function putCommand(terminal: Terminal, exit: Exit): Command {
  return changing("put")
    .description("make a notification channel, or replace all that it is")
    .argument("<id>", "what namespaces and approval workflows name")
    .option("--slack-file <file>", "file of mode 600 with the address that the chat gave; - is stdin")
    .option("--webhook-file <file>", "file of mode 600 with the address of a webhook; - is stdin")
    .option("--pagerduty-file <file>", "file of mode 600 with an integration key of PagerDuty; - is stdin")
    .option("--email <list>", "mail addresses, separated by commas", listValues)
    .option("--keep", "keep the address, the key or the mail addresses that are stored", false)
    .option("--secret-file <file>", "with --webhook-file: file of mode 600 with the secret that signs")
    .option("--description <text>", "what it is for")
    .addHelpText(
      "before",
      examples(
        PUT,
        "svc-cli channels put oncall --email oncall@example.com",
        'svc-cli channels put operations --keep --description "the chat of operations"',
      ),
    )
    .action(async (id: string, options: PutChannelOptions) => {
      const { putChannel } = await import("./change-channel.ts");
      exit(await putChannel(id, options, terminal));
    });
}

function removeCommand(terminal: Terminal, exit: Exit): Command {
  return changing("remove")
    .description("remove a notification channel that no namespace and no workflow names")
    .argument("<id>", "the id that svc-cli channels list prints")
    .addHelpText("before", examples("svc-cli channels remove operations"))
    .action(async (id: string, options: ChannelChangeOptions) => {
      const { removeChannel } = await import("./change-channel.ts");
      exit(await removeChannel(id, options, terminal));
    });
}

function testCommand(terminal: Terminal, exit: Exit): Command {
  return withOutput(withServer(new Command("test")))
    .description("send a message that says that it is a test, and show what the receiver answered")
    .argument("<id>", "the id that svc-cli channels list prints")
    .addHelpText("before", examples("svc-cli channels test operations"))
    .action(async (id: string, options: ChannelsOptions) => {
      const { testChannel } = await import("./channels.ts");
      exit(await testChannel(id, options, terminal));
    });
}
