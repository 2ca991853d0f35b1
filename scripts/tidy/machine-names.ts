import { basename } from "node:path";
import { perLine, type Rule } from "./finding.ts";

/** Name of a lockfile to what a download address looks like in it. */
const lockfiles: ReadonlyMap<string, RegExp> = new Map([
  ["pnpm-lock.yaml", /https?:\/\/|^\s*(?:tarball|registry):/],
  ["package-lock.json", /"resolved":/],
]);

export type MachineNames = {
  /** Absolute folders of the machine that no file may name. */
  readonly folders: readonly string[];
  /** Hosts that packages came from on this machine. */
  readonly hosts: readonly string[];
};

/** Names that are valid only on the machine of one developer do not belong in the repository. */
export function machineNameRule({ folders, hosts }: MachineNames): Rule {
  const names = perLine("no folder or registry host of one machine", (line) => {
    const folder = folders.find((candidate) => namesFolder(line, candidate));
    return folder ?? hosts.find((host) => line.includes(host));
  });
  return (file) => {
    const address = lockfiles.get(basename(file.path));
    const addresses = perLine("no download address in the lockfile", (line) =>
      address?.test(line) ? line.trim() : undefined,
    );
    return [...names(file), ...addresses(file)];
  };
}

/** Whether the absolute path stands in the line as a path of its own, not as the end of a longer one. */
function namesFolder(line: string, folder: string): boolean {
  for (let at = line.indexOf(folder); at >= 0; at = line.indexOf(folder, at + 1)) {
    const before = line.charAt(at - 1);
    const after = line.charAt(at + folder.length);
    if (!/[\w./-]/.test(before) && /^$|[^\w.-]/.test(after)) return true;
  }
  return false;
}
