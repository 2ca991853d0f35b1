import { CommandFailure, type Outcome } from "../frame/exit-code.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";
import { compilePolicyFile } from "../policy-files/compile-policy-file.ts";
import { STDIN } from "../policy-files/find-policy-files.ts";
import { readPolicyFile } from "../policy-files/read-policy-file.ts";
import { changePieces, maskedChanges } from "./change-pieces.ts";

export interface DiffOptions extends OutputOptions {
  readonly exitCode: boolean;
}

/** Compares what two policies mean. @throws CommandFailure */
export async function diffFiles(
  [before, after]: readonly [string, string],
  options: DiffOptions,
  terminal: Terminal,
): Promise<Outcome> {
  if (before === STDIN && after === STDIN)
    throw new CommandFailure("usage", "expected one of both policies from stdin, found both");
  const old = compilePolicyFile(await readPolicyFile(before, terminal));
  const next = compilePolicyFile(await readPolicyFile(after, terminal));
  const changes = maskedChanges(old.reading.value, next.reading.value);
  const identical = old.source === next.source;
  new Output(terminal, options).result({
    text: changes.length === 0 ? sameText(identical) : changePieces(changes),
    schema: "svc.cli.diff/v1",
    json: { before: old.file, after: next.file, identical, changes },
    items: changes,
  });
  return changes.length > 0 && options.exitCode ? "failed" : "ok";
}

function sameText(identical: boolean): string {
  return identical
    ? "The two texts are identical.\n"
    : "No difference in meaning: only comments, formatting, defaults or the order of lists differ.\n";
}
