import type { CallToTry, SeamToTry } from "./calls-to-try.ts";

/** The calls as lines to copy, each with its status and a part of the body that comes back. */
export function renderCalls(seams: readonly SeamToTry[]): string {
  return seams.map((seam) => `${seam.title}\n${linesOf(seam).join("\n")}\n`).join("\n");
}

function linesOf({ calls, missing }: SeamToTry): readonly string[] {
  return missing === undefined ? calls.flatMap(renderCall) : [`  not started: it needs ${missing}`];
}

function renderCall({ outcome, command, status, shows }: CallToTry): readonly string[] {
  return [`  ${outcome}:`, `    ${command}`, `    -> ${String(status)} ... ${shows} ...`];
}
