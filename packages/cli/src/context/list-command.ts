import { Command } from "commander";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import { Output, type OutputOptions, withOutput } from "../frame/output.ts";
import { renderTable } from "../frame/render-table.ts";
import type { Terminal } from "../frame/terminal.ts";

/** `svc-cli context list`. */
export function listCommand(terminal: Terminal, exit: Exit): Command {
  return withOutput(new Command("list"))
    .description("list your contexts")
    .addHelpText("before", examples("svc-cli context list", "svc-cli context list -o json"))
    .action(async (options: OutputOptions) => {
      const { contextsPath, readContexts } = await import("../connection/context-file.ts");
      const output = new Output(terminal, options);
      const { current, contexts } = readContexts(terminal);
      const items = Object.entries(contexts).map(
        ([name, { url, api_key_file, org_id, protected: isProtected }]) => ({
          name,
          current: name === current,
          url,
          api_key_file: api_key_file ?? null,
          org_id: org_id ?? null,
          protected: isProtected === true,
        }),
      );
      const rows = items.map(
        ({ name, current: isCurrent, url, api_key_file, org_id, protected: isProtected }) => [
          isCurrent ? "*" : "",
          name,
          url,
          api_key_file ?? "",
          org_id ?? "",
          isProtected ? "yes" : "",
        ],
      );
      output.result({
        text:
          items.length === 0
            ? `There is no context in ${contextsPath(terminal)}. Make one with svc-cli context add\n`
            : renderTable(
                ["", "NAME", "URL", "API KEY FILE", "ORGANIZATION", "PROTECTED"],
                rows,
                output.isTerminal,
              ),
        schema: "svc.cli.contexts/v1",
        json: { contexts: items },
        items,
      });
      exit("ok");
    });
}
