import { Command } from "commander";
import { withServer } from "../connection/server-options.ts";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import { withOutput } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { ChannelsOptions } from "./channels.ts";

/** `svc-cli channels`. */
export function channelsCommand(terminal: Terminal, exit: Exit): Command {
  return new Command("channels")
    .description("see who is told what happens, and whether a message arrives")
    .addHelpText("before", examples("svc-cli channels list", "svc-cli channels test operations"))
    .addCommand(listCommand(terminal, exit))
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
