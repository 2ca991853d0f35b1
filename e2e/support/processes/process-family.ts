import { readFileSync } from "node:fs";

/** A process and what it has started, as they are now. */
function familyOf(pid: number): readonly number[] {
  const children = readFileSync(`/proc/${String(pid)}/task/${String(pid)}/children`, "utf8");
  return [pid, ...children.trim().split(" ").filter(Boolean).map(Number)];
}

/** Everything that a process has started, and what that has started, as it is now. */
export function descendantsOf(pid: number): readonly number[] {
  const [, ...children] = familyOf(pid);
  return children.flatMap((child) => [child, ...descendantsOf(child)]);
}

/** Signals a process of the test's own and its children, the parent first. */
export function signalFamily(pid: number, signal: NodeJS.Signals): void {
  for (const member of familyOf(pid)) process.kill(member, signal);
}
