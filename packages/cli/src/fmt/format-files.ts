import { resolve } from "node:path";
import { CommandFailure, type Outcome } from "../frame/exit-code.ts";
import { replaceFile } from "../frame/files.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import { STDIN } from "../frame/read-input.ts";
import type { Terminal } from "../frame/terminal.ts";
import { findPolicyFiles } from "../policy-files/find-policy-files.ts";
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
  if (paths.length > 1) throw new CommandFailure("usage", "`-` stands alone: its policy goes to stdout");
  writeOut(text);
  return "ok";
}
