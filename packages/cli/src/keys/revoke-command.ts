import { Command } from "commander";
import { type ServerOptions, withServer } from "../connection/server-options.ts";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import { type OutputOptions, withOutput } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { RevokeOptions } from "./revoke-key.ts";

/** `svc-cli keys revoke`. */
export function revokeCommand(terminal: Terminal, exit: Exit): Command {
  return withOutput(withServer(new Command("revoke")))
    .description("end an API key for good, at every gateway")
    .argument("<key id>", "id of the key: see svc-cli keys list")
    .option("--dry-run", "say what would change, and change nothing", false)
    .option("--yes", "do not ask in a protected environment", false)
    .addHelpText("before", examples("svc-cli keys revoke 9d41c07be2aa"))
    .addHelpText("after", HELP)
    .action(async (id: string, options: RevokeOptions & ServerOptions & OutputOptions) => {
      const { revokeKey } = await import("./revoke-key.ts");
      exit(await revokeKey(id, options, terminal));
    });
}

const HELP = `
Nothing brings the key back. Revoking it again changes nothing.

Exit codes: 0 every gateway refuses it, 1 no such key, 2 wrong usage, 3 a gateway has not confirmed, or no
answer came, 4 the key may not do this`;
