import { renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { CommandFailure, type Outcome } from "../frame/exit-code.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import { readFault } from "../frame/read-fault.ts";
import type { Terminal } from "../frame/terminal.ts";
import { findPolicyFiles, STDIN } from "../policy-files/find-policy-files.ts";
import { type PolicyFile, readPolicyFile } from "../policy-files/read-policy-file.ts";
import { formatPolicy } from "./format-policy.ts";

export interface FormatOptions extends OutputOptions {
  readonly check: boolean;
}

interface Formatted {
  readonly file: string;
  readonly changed: boolean;
}

/** Every file is formatted before one is written. @throws CommandFailure */
export async function formatFiles(
  paths: readonly string[],
  options: FormatOptions,
  terminal: Terminal,
): Promise<Outcome> {
  const work: { readonly policy: PolicyFile; readonly text: string }[] = [];
  for (const path of findPolicyFiles(paths, terminal)) {
    const policy = await readPolicyFile(path, terminal);
    work.push({ policy, text: formatPolicy(policy) });
  }
  if (paths.includes(STDIN) && !options.check) return toStdout(paths, work[0]?.text ?? "", terminal);
  const files = work.map(
    ({ policy, text }): Formatted => ({ file: policy.name, changed: text !== policy.source }),
  );
  if (!options.check)
    for (const { policy, text } of work)
      if (text !== policy.source) replaceFile(resolve(terminal.workingDirectory, policy.name), text);
  const changed = files.filter((file) => file.changed);
  const word = options.check ? "has another form" : "was formatted";
  new Output(terminal, options).result({
    text: changed.map(({ file }) => `${file}: ${word}\n`).join(""),
    schema: "svc.cli.fmt/v1",
    json: { files },
    items: files,
  });
  return options.check && changed.length > 0 ? "failed" : "ok";
}

function toStdout(paths: readonly string[], text: string, { writeOut }: Terminal): Outcome {
  if (paths.length > 1)
    throw new CommandFailure(
      "usage",
      "expected `-` or the paths of files, found both: a policy from stdin goes to stdout",
    );
  writeOut(text);
  return "ok";
}

/** A reader sees the old text or the new one, and a crash leaves one of them. */
function replaceFile(path: string, text: string): void {
  const unfinished = `${path}.${String(process.pid)}.tmp`;
  try {
    writeFileSync(unfinished, text, { mode: statSync(path).mode, flush: true, flag: "wx" });
    renameSync(unfinished, path);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw new CommandFailure("usage", `${path} cannot be written: ${readFault(error)}`, error);
  }
}
