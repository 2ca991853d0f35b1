import { CommandFailure } from "../frame/exit-code.ts";
import type { Terminal } from "../frame/terminal.ts";
import { compilePolicyFile } from "../policy-files/compile-policy-file.ts";
import { findPolicyFiles } from "../policy-files/find-policy-files.ts";
import { readPolicyFile } from "../policy-files/read-policy-file.ts";
import { withMode } from "../rollout/with-mode.ts";
import type { DeployOptions } from "./deploy-options.ts";
import type { LocalPolicy } from "./plan-policy.ts";

/**
 * Reads and compiles every file that is named, before a server is asked.
 * @throws CommandFailure `failed` for a policy that no server would take, `usage` for two files of one policy
 */
export async function localPolicies(
  paths: readonly string[],
  { mode }: Pick<DeployOptions, "mode">,
  terminal: Terminal,
): Promise<readonly LocalPolicy[]> {
  const byId = new Map<string, LocalPolicy>();
  for (const path of findPolicyFiles(paths, terminal)) {
    const file = await readPolicyFile(path, terminal);
    // A fault of the file itself is shown with its own lines, and not with those of the rewritten text.
    const asWritten = await compilePolicyFile(file);
    const text = mode === undefined ? file : withMode(file, mode);
    const compiled = text === file ? asWritten : await compilePolicyFile(text);
    const { id } = compiled.explaining.document.head;
    const other = byId.get(id);
    if (other !== undefined)
      throw new CommandFailure(
        "usage",
        `${other.text.name} and ${file.name} are both policy ${id}: name one, or the last would win`,
      );
    byId.set(id, { id, text, compiled });
  }
  return [...byId.values()];
}
