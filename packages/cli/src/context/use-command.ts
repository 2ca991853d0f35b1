import { nearestName } from "@svc/text/nearest-name";
import { Command } from "commander";
import type { Context, Contexts } from "../connection/context-file.ts";
import { examples } from "../frame/examples.ts";
import { CommandFailure, type Exit } from "../frame/exit-code.ts";
import { Output, type OutputOptions, withOutput } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";
import { overruledText, overrulingVariables } from "./overruling-variables.ts";

/** `svc-cli context use`. */
export function useCommand(terminal: Terminal, exit: Exit): Command {
  return withOutput(new Command("use"))
    .description("choose the context of commands that name none")
    .argument("<name>", "the context")
    .addHelpText("before", examples("svc-cli context use prod"))
    .action(async (name: string, options: OutputOptions) => {
      const { changeContexts, readContexts } = await import("../connection/context-file.ts");
      // A name that nobody has is refused before a folder is made.
      contextOf(name, readContexts(terminal));
      const { before, context } = await changeContexts(terminal, (all) => ({
        contexts: { current: name, contexts: all.contexts },
        value: { before: all.current, context: contextOf(name, all) },
      }));
      const undo = before === null || before === name ? "" : `Undo: svc-cli context use ${before}\n`;
      const output = new Output(terminal, options);
      const overruled_by = overrulingVariables(context, terminal);
      output.result({
        text: `Commands that name no server now ask ${context.url}, the context ${name}.\n${undo}`,
        schema: "svc.cli.context-use/v1",
        json: { current: name, before, overruled_by },
      });
      if (overruled_by.length > 0) output.warn(overruledText(name, overruled_by));
      exit("ok");
    });
}

function contextOf(name: string, { contexts }: Contexts): Context {
  const context = contexts[name];
  if (context !== undefined) return context;
  const nearest = nearestName(name, Object.keys(contexts));
  const hint = nearest === null ? "see svc-cli context list" : `did you mean ${nearest}?`;
  throw new CommandFailure("usage", `no context ${JSON.stringify(name)}: ${hint}`);
}
