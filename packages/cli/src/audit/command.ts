import { Command } from "commander";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import type { Terminal } from "../frame/terminal.ts";
import { exportCommand } from "./export-command.ts";
import { showCommand } from "./show-command.ts";
import { tailCommand } from "./tail-command.ts";

/** `svc-cli audit`. */
export function auditCommand(terminal: Terminal, exit: Exit): Command {
  return new Command("audit")
    .description("read the audit log, follow it, and export it")
    .addHelpText(
      "before",
      examples("svc-cli audit tail -f --decision deny,pause", "svc-cli audit show gw_1f0c.41"),
    )
    .addCommand(tailCommand(terminal, exit))
    .addCommand(showCommand(terminal, exit))
    .addCommand(exportCommand(terminal, exit));
}
