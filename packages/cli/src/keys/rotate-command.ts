import { DEFAULT_ROTATION_OVERLAP_SECONDS } from "@svc/contract/limits";
import { Command, InvalidArgumentError } from "commander";
import { withServer } from "../connection/server-options.ts";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import { withOutput } from "../frame/output.ts";
import { durationSeconds } from "../frame/parse-duration.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { RotateOptions } from "./rotate-key.ts";

const DEFAULT_OVERLAP = `${String(DEFAULT_ROTATION_OVERLAP_SECONDS)}s`;

/** `svc-cli keys rotate`. */
export function rotateCommand(terminal: Terminal, exit: Exit): Command {
  return withOutput(withServer(new Command("rotate")))
    .description("give an API key a new secret; its id, its role and its bindings stay")
    .argument("<key id>", "id of the key: see svc-cli keys list")
    .option("--out <file>", "the file for the secret, which is replaced; - writes it alone to stdout")
    .option(
      "--overlap <duration>",
      `how long the earlier secrets go on, such as 1h, or 0 (default: ${DEFAULT_OVERLAP})`,
      parseOverlap,
    )
    .option("--dry-run", "say what would change, and change nothing", false)
    .option("--yes", "do not ask in a protected environment", false)
    .addHelpText("before", EXAMPLES)
    .addHelpText("after", HELP)
    .action(async (id: string, options: RotateOptions) => {
      const { rotateKey } = await import("./rotate-key.ts");
      exit(await rotateKey(id, options, terminal));
    });
}

function parseOverlap(text: string): number {
  const seconds = text === "0" ? 0 : durationSeconds(text);
  if (seconds !== null) return seconds;
  throw new InvalidArgumentError("expected 0, or a number and a unit, such as 90s, 30m, 2h or 7d.");
}

const EXAMPLES = examples(
  "svc-cli keys rotate 9d41c07be2aa --out agent-key",
  "svc-cli keys rotate 9d41c07be2aa --overlap 0",
);

const HELP = `
The new secret works at once, and the file changes when it does. A program that read the file before goes on
until the overlap ends.

Exit codes: 0 every gateway accepts it, 1 no such key, or it has ended, 2 wrong usage, 3 a gateway has not
confirmed, or no answer came, 4 the key may not do this`;
