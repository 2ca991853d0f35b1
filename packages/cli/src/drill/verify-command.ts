import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { renderReport } from "@svc/drill/render-report";
import { readSignedReport } from "@svc/drill/signed-report";
import { Command, Option } from "commander";
import { readPinnedKeys } from "../audit-verify/trusted-keys.ts";
import { CommandFailure, type EXIT_CODES } from "../exit-code.ts";
import { OUTPUT_FORMATS, Output, type OutputFormat } from "../output.ts";
import { readFault } from "../read-fault.ts";
import type { Terminal } from "../terminal.ts";

interface VerifyOptions {
  readonly publicKey: string;
  readonly output: OutputFormat;
  readonly quiet: boolean;
}

/** `svc-cli drill verify`. Needs no server. */
export function verifyCommand(terminal: Terminal, exit: (outcome: keyof typeof EXIT_CODES) => void): Command {
  return new Command("verify")
    .description("verify the signature of a drill's report, and show the report")
    .argument("<file>", "the report that a drill wrote")
    .requiredOption("--public-key <file|text>", "the key that must have signed it")
    .addOption(
      new Option("-o, --output <format>", "form of the result").choices(OUTPUT_FORMATS).default("text"),
    )
    .option("--quiet", "print errors only", false)
    .addHelpText("after", "\nExit codes: 0 the signature is right, 1 it is not, 2 wrong usage")
    .action(async (file: string, options: VerifyOptions) => exit(await verify(file, options, terminal)));
}

const FAULTS = {
  malformed: "expected a report that a drill wrote; it was changed, cut, or written by another version",
  unknown_key: "none of the given keys has signed it",
  bad_signature: "the signature does not fit: the report was changed after it was signed",
} as const;

async function verify(
  file: string,
  { publicKey, output: format, quiet }: VerifyOptions,
  terminal: Terminal,
): Promise<keyof typeof EXIT_CODES> {
  const keys = await readPinnedKeys(publicKey, terminal);
  const text = await readFile(resolve(terminal.workingDirectory, file), "utf8").catch((error: unknown) => {
    throw new CommandFailure("usage", `${file} cannot be read: ${readFault(error)}`, error);
  });
  const reading = readSignedReport(text, keys);
  if (reading.kind !== "valid") throw new CommandFailure("failed", `${file}: ${FAULTS[reading.kind]}`);
  new Output(terminal, { format, quiet }).result({
    text: `${renderReport(reading.report)}${file}: the signature is right\n`,
    json: reading.report,
  });
  return "ok";
}
