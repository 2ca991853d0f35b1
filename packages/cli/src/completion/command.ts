import { Argument, Command } from "commander";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import type { Terminal } from "../frame/terminal.ts";
import { type CompletionRow, completionTable } from "./completion-table.ts";
import { renderBash } from "./render-bash.ts";
import { renderFish } from "./render-fish.ts";
import { renderZsh } from "./render-zsh.ts";

const SHELLS = { bash: renderBash, zsh: renderZsh, fish: renderFish } as const satisfies Record<
  string,
  (rows: readonly CompletionRow[]) => string
>;

/** `svc-cli completion`. The script is made from the commands, so it knows every one of them. */
export function completionCommand({ writeOut }: Terminal, exit: Exit): Command {
  const completion = new Command("completion");
  return completion
    .description("print the completion of a shell")
    .addArgument(new Argument("<shell>", "the shell").choices(Object.keys(SHELLS)))
    .addHelpText(
      "before",
      examples(
        "source <(svc-cli completion bash)",
        "svc-cli completion zsh > ~/.zsh/completions/_svc-cli",
        "svc-cli completion fish > ~/.config/fish/completions/svc-cli.fish",
      ),
    )
    .action((shell: keyof typeof SHELLS) => {
      if (completion.parent === null) throw new Error("completion stands below the program");
      writeOut(SHELLS[shell](completionTable(completion.parent)));
      exit("ok");
    });
}
