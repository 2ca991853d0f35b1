import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { renderReport } from "@svc/drill/render-report";
import { readSignedReport } from "@svc/drill/signed-report";
import { Command } from "commander";
import { readPinnedKeys } from "../audit-verify/trusted-keys.ts";
import { examples } from "../frame/examples.ts";
import { CommandFailure, type Exit, type Outcome } from "../frame/exit-code.ts";
import { Output, type OutputOptions, withOutput } from "../frame/output.ts";
import { readFault } from "../frame/read-fault.ts";
import type { Terminal } from "../frame/terminal.ts";

interface VerifyOptions extends OutputOptions {
  readonly publicKey: string;
}

/** `svc-cli drill verify`. Needs no server. */
export function verifyCommand(terminal: Terminal, exit: Exit): Command {
  return withOutput(new Command("verify"))
    .description("verify the signature of a drill's report, and show the report")
    .argument("<file>", "the report that a drill wrote")
    .requiredOption("--public-key <file|text>", "the key that must have signed it")
    .addHelpText("before", examples("svc-cli drill verify drill-kill.note --public-key drill-key.txt"))
    .addHelpText("after", "\nExit codes: 0 the signature is right, 1 it is not, 2 wrong usage")
    .action(async (file: string, options: VerifyOptions) => exit(await verify(file, options, terminal)));
}

const FAULTS = {
  malformed: "expected a report that a drill wrote; it was changed, cut, or written by another version",
  unknown_key: "none of the given keys has signed it",
  bad_signature: "the signature does not fit: the report was changed after it was signed",
} as const;

async function verify(file: string, options: VerifyOptions, terminal: Terminal): Promise<Outcome> {
  const keys = await readPinnedKeys(options.publicKey, terminal);
  const text = await readFile(resolve(terminal.workingDirectory, file), "utf8").catch((error: unknown) => {
    throw new CommandFailure("usage", `${file} cannot be read: ${readFault(error)}`, error);
  });
  const reading = readSignedReport(text, keys);
  if (reading.kind !== "valid") throw new CommandFailure("failed", `${file}: ${FAULTS[reading.kind]}`);
  new Output(terminal, options).result({
    text: `${renderReport(reading.report)}${file}: the signature is right\n`,
    schema: "svc.cli.drill-report/v1",
    json: reading.report,
  });
  return "ok";
}
