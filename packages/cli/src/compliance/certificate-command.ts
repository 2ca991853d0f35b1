import { Command } from "commander";
import { withServer } from "../connection/server-options.ts";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { CertificateOptions } from "./fetch-certificate.ts";

/** `svc-cli compliance certificate`. */
export function certificateCommand(terminal: Terminal, exit: Exit): Command {
  return withServer(new Command("certificate"))
    .description("fetch the containment certificate of a kill switch, as it was signed")
    .argument("<kill switch>", "id of the switch: see svc-cli kill list")
    .option("--out <file>", "a new file for it; left out: stdout")
    .addHelpText("before", EXAMPLES)
    .addHelpText("after", HELP)
    .action(async (id: string, options: CertificateOptions) => {
      const { fetchCertificate } = await import("./fetch-certificate.ts");
      exit(await fetchCertificate(id, options, terminal));
    });
}

const EXAMPLES = examples(
  "svc-cli compliance certificate ks_4c2a --out certificate.txt",
  "svc-cli compliance certificate ks_4c2a | svc-cli compliance verify-certificate - --public-key keys.txt",
);

const HELP = `
It describes the moment at which it is fetched. svc-cli compliance verify-certificate says what it proves.

Exit codes: 0, 1 no such switch, 2 wrong usage, or the file is there, 3 no server answers, 4 the key may not
read kill switches`;
