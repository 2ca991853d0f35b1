import { Command } from "commander";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import { withOutput } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { VerifyCertificateOptions } from "./verify-certificate-file.ts";

/** `svc-cli compliance verify-certificate`. It asks no server. Ends with the exit code of its finding. */
export function verifyCertificateCommand(terminal: Terminal, exit: Exit): Command {
  return withOutput(new Command("verify-certificate"))
    .description("verify the containment certificate of a kill switch, without the server")
    .argument("<file>", "the certificate (`-` reads stdin)")
    .option("--public-key <file|text>", "the public keys, one per line; never take them from the same source")
    .addHelpText("before", EXAMPLES)
    .addHelpText("after", HELP)
    .action(async (file: string, options: VerifyCertificateOptions) => {
      const { verifyCertificateFile } = await import("./verify-certificate-file.ts");
      exit(await verifyCertificateFile(file, options, terminal));
    });
}

const EXAMPLES = examples("svc-cli compliance verify-certificate certificate.txt --public-key keys.txt");

const HELP = `
Exit codes: 0 genuine, and every gateway was contained, 1 not what was signed, 2 wrong usage, 3 the file could
not be read as a whole certificate, 5 genuine, but not every gateway was contained, or the switch had
ended, or no given key signed it`;
