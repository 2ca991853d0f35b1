import { perLine, type Rule } from "./finding.ts";

const lockfile = "pnpm-lock.yaml";

export type MachineNames = {
  /** Absolute folders of the machine that no file may name. */
  readonly folders: readonly string[];
  /** Hosts that packages came from on this machine. */
  readonly hosts: readonly string[];
};

/** What only holds on the machine of whoever wrote it does not belong into the repository. */
export function machineNameRule({ folders, hosts }: MachineNames): Rule {
  const names = perLine("no folder or registry host of one machine", (line) => {
    const folder = folders.find((candidate) => namesFolder(line, candidate));
    return folder ?? hosts.find((host) => line.includes(host));
  });
  const addresses = perLine("no download address in the lockfile", (line) =>
    /https?:\/\/|^\s*(?:tarball|registry):/.test(line) ? line.trim() : undefined,
  );
  return (file) => [...names(file), ...(file.path === lockfile ? addresses(file) : [])];
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
