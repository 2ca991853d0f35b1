import { VERSION } from "@svc/process/version";
import { Command } from "commander";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import { Output, type OutputOptions, withOutput } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";
import { versionLine } from "./version-line.ts";

/** `svc-cli version`. */
export function versionCommand(terminal: Terminal, exit: Exit): Command {
  return withOutput(new Command("version"))
    .description("show the versions of svc-cli and of Node")
    .addHelpText("before", examples("svc-cli version", "svc-cli version -o json"))
    .action((options: OutputOptions) => {
      const node = process.versions.node;
      new Output(terminal, options).result({
        text: versionLine(),
        schema: "svc.cli.version/v1",
        json: { version: VERSION, node },
      });
      exit("ok");
    });
}
