/** The programs the end-to-end tests start, and how a Debian machine gets the ones it lacks. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

type SystemTool = {
  readonly debianPackage: string;
  readonly isPresent: () => boolean;
};

const systemTools: readonly SystemTool[] = [
  { debianPackage: "nginx", isPresent: () => isOnPath("nginx") },
  {
    debianPackage: "libnginx-mod-http-headers-more-filter",
    isPresent: () => existsSync("/usr/lib/nginx/modules/ngx_http_headers_more_filter_module.so"),
  },
  { debianPackage: "caddy", isPresent: () => isOnPath("caddy") },
  { debianPackage: "haproxy", isPresent: () => isOnPath("haproxy") },
  { debianPackage: "postgresql", isPresent: hasPostgresServer },
  { debianPackage: "curl", isPresent: () => isOnPath("curl") },
  { debianPackage: "strace", isPresent: () => isOnPath("strace") },
  { debianPackage: "faketime", isPresent: () => isOnPath("faketime") },
  { debianPackage: "openssl", isPresent: () => isOnPath("openssl") },
];

/** Debian puts servers where only root looks by default. */
export const serverFolders = ["/usr/local/sbin", "/usr/sbin", "/sbin"];

/**
 * Asked by Debian's maintainer scripts before they start a service. Ours says no: a test starts its own
 * servers on its own ports. The mark tells our file from one that the machine's owner wrote.
 */
const policyFile = "/usr/sbin/policy-rc.d";
const policyMark = "# written by the svc test runner, removed after the installation";
const policy = `#!/bin/sh\n${policyMark}\nexit 101\n`;

const lockTimeout = ["-o", "DPkg::Lock::Timeout=300"];

/** Installs what is missing when that is possible; says what is missing and why when it is not. */
export function ensureSystemTools(say: (line: string) => void): void {
  const wanted = missing();
  if (wanted.length === 0) return;
  const names = wanted.join(" ");
  const obstacle = whyNotInstallable();
  if (obstacle) {
    say(
      `system tools: ${names} missing and not installed: ${obstacle}. The tests that need them cannot run.`,
    );
    return;
  }
  say(`system tools: installing ${names} ...`);
  const problem = withoutServiceStarts(() => aptGet("update") ?? aptGet("install", "-y", ...wanted));
  const left = missing();
  if (left.length === 0) say("system tools: ready");
  else say(`system tools: still missing: ${left.join(" ")}\n${problem ?? ""}`);
}

function missing(): string[] {
  return systemTools.filter((tool) => !tool.isPresent()).map((tool) => tool.debianPackage);
}

function whyNotInstallable(): string | undefined {
  if (!isOnPath("apt-get")) return "this machine has no apt-get";
  if (process.getuid?.() !== 0) return "only root may install packages";
  return undefined;
}

/** Answers the end of the output when the command failed. */
function aptGet(command: string, ...args: string[]): string | undefined {
  const result = spawnSync("apt-get", [...lockTimeout, command, "-q", "--no-install-recommends", ...args], {
    encoding: "utf8",
    input: "",
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });
  if (result.status === 0) return undefined;
  const tail = `${result.stdout ?? ""}${result.stderr ?? ""}`.slice(-2_000);
  return `apt-get ${command} failed: ${result.error?.message ?? tail}`;
}

function withoutServiceStarts<T>(work: () => T): T {
  const present = existsSync(policyFile);
  if (present && !readFileSync(policyFile, "utf8").includes(policyMark)) return work();
  writeFileSync(policyFile, policy, { mode: 0o755 });
  try {
    return work();
  } finally {
    rmSync(policyFile, { force: true });
  }
}

/** Whether a program is where a shell or an administrator would find it. */
export function isOnPath(program: string): boolean {
  const folders = [...(process.env["PATH"] ?? "").split(":"), ...serverFolders];
  return folders.some((folder) => folder !== "" && existsSync(join(folder, program)));
}

function hasPostgresServer(): boolean {
  if (isOnPath("initdb")) return true;
  const versions = "/usr/lib/postgresql";
  if (!existsSync(versions)) return false;
  return readdirSync(versions).some((version) => existsSync(join(versions, version, "bin", "initdb")));
}
