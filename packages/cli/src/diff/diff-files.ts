import type { PolicyChange } from "@svc/contract/policy-change";
import { maskSecrets } from "@svc/engine/mask-secrets";
import { diffPolicies } from "@svc/engine/policy-diff";
import { renderChanges } from "@svc/engine/render-diff";
import { CommandFailure, type Outcome } from "../frame/exit-code.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { Emphasis, Piece } from "../frame/text.ts";
import { compilePolicyFile } from "../policy-files/compile-policy-file.ts";
import { STDIN } from "../policy-files/find-policy-files.ts";
import { readPolicyFile } from "../policy-files/read-policy-file.ts";

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
  const changes = diffPolicies(old.reading.value, next.reading.value).map(masked);
  const identical = old.source === next.source;
  new Output(terminal, options).result({
    text: changes.length === 0 ? sameText(identical) : changes.map(lineOf),
    schema: "svc.cli.diff/v1",
    json: { before: old.file, after: next.file, identical, changes },
    items: changes,
  });
  return changes.length > 0 && options.exitCode ? "failed" : "ok";
}

/** A policy may hold a secret, and what is printed ends up in logs of builds. */
function masked(change: PolicyChange): PolicyChange {
  const { before, after } = change;
  return { ...change, ...maskSecrets({ before, after }, JSON.stringify({ before, after })) };
}

const EMPHASES = {
  added: "good",
  removed: "bad",
  changed: "warning",
  moved: "warning",
} as const satisfies Record<PolicyChange["kind"], Emphasis>;

function lineOf(change: PolicyChange): Piece {
  return { text: renderChanges([change]), as: EMPHASES[change.kind] };
}

function sameText(identical: boolean): string {
  return identical
    ? "The two texts are identical.\n"
    : "No difference in meaning: only comments, formatting, defaults or the order of lists differ.\n";
}
