import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import { MAX_POLICY_BYTES } from "@svc/contract/limits";
import { checkDocument, type DocumentCheck } from "@svc/engine/check-document";
import type { Diagnostic } from "@svc/engine/diagnostic";
import { maskFinding } from "@svc/engine/mask-finding";
import { readPolicy } from "@svc/engine/read-policy";
import { countFindings, renderFindings } from "@svc/engine/render-findings";
import { Command, Option } from "commander";
import { CommandFailure, type EXIT_CODES } from "../exit-code.ts";
import { OUTPUT_FORMATS, Output, type OutputFormat } from "../output.ts";
import { readFault } from "../read-fault.ts";
import type { Terminal } from "../terminal.ts";

interface ValidateOptions {
  readonly strict: boolean;
  readonly output: OutputFormat;
  readonly quiet: boolean;
}

/** `svc-cli validate`. Asks no server: it reads the file with the engine that decides calls. */
export function validateCommand(
  terminal: Terminal,
  exit: (outcome: keyof typeof EXIT_CODES) => void,
): Command {
  return new Command("validate")
    .description("check a policy file: its form, its rules, and what they do other than they seem to say")
    .argument("<file>", "a policy in YAML, or in JSON if the name ends in .json; `-` reads YAML from stdin")
    .option("--strict", "fail on warnings too", false)
    .addOption(
      new Option("-o, --output <format>", "form of the result").choices(OUTPUT_FORMATS).default("text"),
    )
    .option("--quiet", "print errors of the command only", false)
    .addHelpText("after", HELP)
    .action(async (file: string, options: ValidateOptions) => {
      exit(await validate(file, options, terminal));
    });
}

const HELP = `
Exit codes: 0 valid, 1 refused, or a warning with --strict, 2 the file cannot be read
docs/POLICY.md and docs/FINDINGS.md explain each finding.`;

const STDIN = "-";

async function validate(
  file: string,
  { strict, output: format, quiet }: ValidateOptions,
  terminal: Terminal,
): Promise<keyof typeof EXIT_CODES> {
  const source = await readSource(file, terminal);
  const name = file === STDIN ? "stdin" : file;
  const mediaType = file.endsWith(".json") ? "application/json" : "application/yaml";
  const check = checkDocument({ source, mediaType }, (text) =>
    readPolicy(text, { file: name, withConflicts: true }),
  );
  const { valid, diagnostics } = findingsOf(check, name);
  const word = valid ? "valid" : "refused";
  new Output(terminal, { format, quiet }).result({
    text: renderFindings(diagnostics, `${name}: ${word}, ${countFindings(diagnostics)}`),
    json: { file: name, valid, diagnostics },
  });
  return !valid || (strict && diagnostics.length > 0) ? "failed" : "ok";
}

interface Findings {
  readonly valid: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/** Secrets are masked: what a command prints ends up in logs of builds. */
function findingsOf(check: DocumentCheck, name: string): Findings {
  switch (check.kind) {
    case "valid":
      return { valid: true, diagnostics: check.warnings.map(maskFinding) };
    case "invalid":
      return { valid: false, diagnostics: check.diagnostics.map(maskFinding) };
    case "not_json": {
      const { line, column, expected, found } = check.fault;
      throw new CommandFailure(
        "failed",
        `${name}:${String(line)}:${String(column)}: not strict JSON: expected ${expected}, found ${found}`,
      );
    }
  }
}

/** One byte more than a policy may have is enough to refuse it by name. */
async function readSource(file: string, terminal: Terminal): Promise<string> {
  const path = resolve(terminal.workingDirectory, file);
  try {
    const bytes = await readBytes(
      file === STDIN
        ? terminal.stdin
        : (createReadStream(path, { end: MAX_POLICY_BYTES }) as AsyncIterable<Uint8Array>),
    );
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    const because = readFault(error);
    throw new CommandFailure("usage", `${file}: expected a policy file in UTF-8, found: ${because}`, error);
  }
}

async function readBytes(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > MAX_POLICY_BYTES) break;
  }
  return Buffer.concat(chunks);
}
