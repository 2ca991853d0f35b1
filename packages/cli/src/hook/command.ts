import { Command } from "commander";
import { examples } from "../frame/examples.ts";
import { CommandFailure, type Exit } from "../frame/exit-code.ts";
import type { Terminal } from "../frame/terminal.ts";
import { HOOK_HELP } from "./claude-code/hook-options.ts";
import { installCommand, uninstallCommand } from "./install/command.ts";
import { statusCommand } from "./status/command.ts";

/** `svc-cli hook`. */
export function hookCommand(terminal: Terminal, exit: Exit): Command {
  return new Command("hook")
    .description("govern the tool calls of a coding agent")
    .addHelpText("before", examples("svc-cli hook install --agent my-agent --dry-run", "svc-cli hook status"))
    .addCommand(installCommand(terminal, exit))
    .addCommand(uninstallCommand(terminal, exit))
    .addCommand(statusCommand(terminal, exit))
    .addCommand(claudeCodeCommand(terminal));
}

/** The hook itself does not run here: the program knows it before it loads any command. */
function claudeCodeCommand({ writeOut }: Terminal): Command {
  return new Command("claude-code")
    .description("answer a PreToolUse or PostToolUse hook of Claude Code")
    .helpOption(false)
    .allowUnknownOption()
    .allowExcessArguments()
    .action(() => {
      writeOut(HOOK_HELP);
      throw new CommandFailure("usage", "expected `hook claude-code` as the first two words of the command");
    });
}
