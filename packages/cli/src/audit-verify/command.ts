import { ExportError, parseExport } from "@svc/audit-log/parse-export";
import { verifyExport } from "@svc/audit-log/verify-export";
import { unknownVariables } from "@svc/environment/unknown-variables";
import { Command, Option } from "commander";
import { CommandFailure, type EXIT_CODES } from "../exit-code.ts";
import { OUTPUT_FORMATS, Output, type OutputFormat } from "../output.ts";
import {
  apiKeyOption,
  cliEnvironment,
  readServerAddress,
  type ServerOptions,
  urlOption,
} from "../server-options.ts";
import type { Terminal } from "../terminal.ts";
import { openEvidence } from "./evidence.ts";
import { fileSource, onlineSource, type VerificationSource } from "./source.ts";
import { summarize } from "./summary.ts";
import { readPinnedKeys } from "./trusted-keys.ts";

interface AuditVerifyOptions extends ServerOptions {
  readonly file?: string;
  readonly publicKey?: string;
  readonly checkpoints?: string;
  readonly output: OutputFormat;
  readonly quiet: boolean;
}

/** `svc-cli compliance audit-verify`. Hands on the exit that its finding means. */
export function auditVerifyCommand(
  terminal: Terminal,
  exit: (outcome: keyof typeof EXIT_CODES) => void,
): Command {
  return new Command("audit-verify")
    .description("verify that the audit log is whole: rows, links, hashes and signed checkpoints")
    .addOption(urlOption)
    .addOption(apiKeyOption)
    .option(
      "--file <export>",
      "verify an export (`-` reads stdin) instead of asking a server; needs --public-key",
    )
    .option(
      "--public-key <file|text>",
      "trust these public keys, one per line, instead of those the server names",
    )
    .option(
      "--checkpoints <file>",
      "checkpoints kept elsewhere: they show what was cut off together with its own",
    )
    .addOption(
      new Option("-o, --output <format>", "form of the result").choices(OUTPUT_FORMATS).default("text"),
    )
    .option("--quiet", "print errors only", false)
    .addHelpText("after", HELP)
    .action(async (options: AuditVerifyOptions) => exit(await auditVerify(options, terminal)));
}

const HELP = `
Exit codes: 0 intact, 1 broken, 2 wrong usage, 3 the log could not be read as a whole, 4 the key is refused,
5 linked but not signed by any checkpoint`;

async function auditVerify(
  options: AuditVerifyOptions,
  terminal: Terminal,
): Promise<keyof typeof EXIT_CODES> {
  const output = new Output(terminal, { format: options.output, quiet: options.quiet });
  for (const { message } of unknownVariables(terminal.environment, cliEnvironment)) output.warn(message);
  // The evidence is opened first: what is signed while the export runs must not look like a cut.
  const evidence = await openEvidence(options.checkpoints ?? null);
  const source = await openSource(options, terminal);
  if (source.keysFrom === "server") output.warn(SERVER_KEYS);
  const reports = await readWhole(() =>
    verifyExport({
      records: parseExport(source.chunks),
      evidence,
      keys: source.keys,
      onProgress: (rows) => output.progress(`${rows} rows verified`),
    }),
  );
  const summary = summarize(reports, source.keysFrom);
  output.result(summary);
  return summary.outcome;
}

const SERVER_KEYS =
  "the public key comes from the server that is verified; pin one kept elsewhere with --public-key";

async function openSource(options: AuditVerifyOptions, terminal: Terminal): Promise<VerificationSource> {
  const pinned = options.publicKey === undefined ? null : await readPinnedKeys(options.publicKey);
  if (options.file === undefined) return onlineSource(readServerAddress(options, terminal), pinned);
  if (options.url !== undefined)
    throw new CommandFailure("usage", "--file and --url: expected one of them, found both");
  if (pinned === null)
    throw new CommandFailure("usage", "--file needs --public-key: an export cannot vouch for itself");
  return fileSource(options.file, pinned, terminal);
}

async function readWhole<T>(verify: () => Promise<T>): Promise<T> {
  try {
    return await verify();
  } catch (error) {
    if (!(error instanceof ExportError)) throw error;
    const changed = error.code === "malformed";
    throw new CommandFailure(
      changed ? "failed" : "unreachable",
      changed ? `broken: the export was changed: ${error.message}` : `nothing is verified: ${error.message}`,
      error,
    );
  }
}
