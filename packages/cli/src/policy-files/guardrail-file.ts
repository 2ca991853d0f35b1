import { existsSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { MAX_POLICY_BYTES } from "@svc/contract/limits";
import type { Guardrail } from "@svc/engine/guardrail";
import { maskFinding } from "@svc/engine/mask-finding";
import { readGuardrails } from "@svc/engine/read-guardrails";
import { formatDiagnostics } from "@svc/policy-analysis/format-diagnostic";
import type { JsonObject } from "@svc/text/json-value";
import { CommandFailure } from "../frame/exit-code.ts";
import { STDIN } from "../frame/read-input.ts";
import type { Terminal } from "../frame/terminal.ts";
import { readUtf8 } from "./read-utf8.ts";

/** The file of guardrails that policies beside it and below it may name. */
export const GUARDRAIL_FILE = "guardrails.yaml";

type Input = Pick<Terminal, "workingDirectory" | "stdin">;

/** Definitions by id, as they are written. @throws CommandFailure of every finding */
export async function readGuardrailFile(
  path: string,
  terminal: Input,
): Promise<ReadonlyMap<string, JsonObject>> {
  const { written } = await readFile(path, terminal);
  return new Map(Object.entries(written) as [string, JsonObject][]);
}

/**
 * The guardrails for a policy file: those of the nearest `guardrails.yaml` in its folder or in one above it,
 * up to the working directory. None where there is no such file.
 */
export async function guardrailsBeside(file: string, terminal: Input): Promise<readonly Guardrail[]> {
  const path = nearestFile(file, terminal.workingDirectory);
  return path === null ? [] : (await readFile(path, terminal)).guardrails;
}

function nearestFile(file: string, workingDirectory: string): string | null {
  const first = file === STDIN ? workingDirectory : dirname(resolve(workingDirectory, file));
  for (let folder = first; ; folder = dirname(folder)) {
    const path = join(folder, GUARDRAIL_FILE);
    if (existsSync(path)) return path;
    const below = relative(workingDirectory, folder);
    if (below === "" || below.startsWith("..") || dirname(folder) === folder) return null;
  }
}

async function readFile(path: string, terminal: Input) {
  const source = await readUtf8(path, terminal, { what: "a file of guardrails", most: MAX_POLICY_BYTES });
  const reading = readGuardrails(source, path);
  if (reading.ok) return reading.value;
  const found = formatDiagnostics(reading.diagnostics.map(maskFinding));
  throw new CommandFailure("failed", `the guardrails are refused:\n${found}`);
}
