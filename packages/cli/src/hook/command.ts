import { Command } from "commander";
import { CommandFailure } from "../exit-code.ts";
import type { Terminal } from "../terminal.ts";
import { HOOK_HELP } from "./claude-code/hook-options.ts";

/** `svc-cli hook`. The hook itself does not run here: the program knows it before it loads any command. */
export function hookCommand({ writeOut }: Terminal): Command {
  return new Command("hook").description("govern the tool calls of a coding agent").addCommand(
    new Command("claude-code")
      .description("answer a PreToolUse or PostToolUse hook of Claude Code")
      .helpOption(false)
      .allowUnknownOption()
      .allowExcessArguments()
      .action(() => {
        writeOut(HOOK_HELP);
        throw new CommandFailure(
          "usage",
          "expected `hook claude-code` as the first two words of the command",
        );
      }),
  );
}
