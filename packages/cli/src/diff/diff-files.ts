import { CommandFailure, type Outcome } from "../frame/exit-code.ts";
import { Output } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";
import { compilePolicyFile } from "../policy-files/compile-policy-file.ts";
import { readPolicyFile } from "../policy-files/read-policy-file.ts";
import { changePieces, maskedChanges } from "./change-pieces.ts";
import type { DiffOptions } from "./diff-running.ts";

/** Compares what two policies mean. @throws CommandFailure */
export async function diffFiles(
  [before, after]: readonly [string, string],
  options: DiffOptions,
  terminal: Terminal,
): Promise<Outcome> {
  refuseServer(options);
  const old = await compilePolicyFile(await readPolicyFile(before, terminal));
  const next = await compilePolicyFile(await readPolicyFile(after, terminal));
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

/** Two files are compared as they are: a server that is named would be ignored. */
function refuseServer({ url, context, env }: DiffOptions): void {
  if ((url ?? context ?? env) !== undefined)
    throw new CommandFailure("usage", "expected one policy beside a server that runs another, found two");
}

function sameText(identical: boolean): string {
  return identical
    ? "The two texts are identical.\n"
    : "No difference in meaning: only comments, formatting, defaults or the order of lists differ.\n";
}
