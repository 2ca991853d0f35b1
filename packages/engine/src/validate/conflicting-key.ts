import type { Reporter } from "../read/reporter.ts";
import type { SourceNode } from "../read/source-node.ts";
import type { Members } from "./expect.ts";

/** Reports a key that cannot stand beside another one. */
export function conflictingKey(
  node: SourceNode,
  members: Members,
  { key, other, fix }: { readonly key: string; readonly other: string; readonly fix: string },
  reporter: Reporter,
): void {
  reporter.report("policy/conflicting-keys", members.get(key) ?? node, {
    message: `${key} cannot be combined with ${other}`,
    expected: `${other} or ${key}`,
    found: "both",
    fix,
  });
}
