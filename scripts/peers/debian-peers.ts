import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isOnPath } from "./find-on-path.ts";
import type { Peer } from "./peer.ts";
import { runCommand } from "./run-command.ts";

const HEADERS_MORE = "/usr/lib/nginx/modules/ngx_http_headers_more_filter_module.so";

/** What differs between two Debian peers; the program and the package have the peer's name unless said. */
interface DebianPeer extends Pick<Peer, "name" | "purpose" | "downloadMb"> {
  readonly packages?: readonly string[];
  readonly isPresent?: () => boolean;
}

const peers: readonly DebianPeer[] = [
  {
    name: "nginx",
    purpose: "a reverse proxy that asks through auth_request",
    downloadMb: 1,
    packages: ["nginx", "libnginx-mod-http-headers-more-filter"],
    isPresent: () => isOnPath("nginx") && existsSync(HEADERS_MORE),
  },
  { name: "caddy", purpose: "a reverse proxy that asks through forward_auth", downloadMb: 10 },
  { name: "haproxy", purpose: "a reverse proxy that asks through Lua", downloadMb: 3 },
  {
    name: "postgres",
    purpose: "the database server that the store also runs on",
    downloadMb: 48,
    packages: ["postgresql"],
    isPresent: hasPostgresServer,
  },
  { name: "chromium", purpose: "a browser that opens the pages of the server", downloadMb: 120 },
  {
    name: "buildah",
    purpose: "builds the container image without a daemon",
    downloadMb: 17,
    packages: ["buildah", "mmdebstrap"],
    isPresent: () => isOnPath("buildah") && isOnPath("mmdebstrap"),
  },
  { name: "promtool", purpose: "checks and tests alert rules", downloadMb: 22, packages: ["prometheus"] },
  { name: "systemd-analyze", purpose: "judges systemd units", downloadMb: 4, packages: ["systemd"] },
  {
    name: "rsyslog",
    purpose: "takes syslog over TLS",
    downloadMb: 2,
    packages: ["rsyslog", "rsyslog-openssl"],
    isPresent: () => isOnPath("rsyslogd"),
  },
  { name: "strace", purpose: "makes system calls of the server fail", downloadMb: 2 },
  { name: "faketime", purpose: "moves the clock of the server", downloadMb: 1 },
  { name: "openssl", purpose: "makes certificates", downloadMb: 2 },
  { name: "curl", purpose: "runs the commands that the documentation shows", downloadMb: 1 },
  { name: "zsh", purpose: "a shell that svc-cli completes commands for", downloadMb: 5 },
  { name: "fish", purpose: "a shell that svc-cli completes commands for", downloadMb: 5 },
  { name: "mandoc", purpose: "judges the manual page of svc-cli", downloadMb: 1 },
  {
    name: "java",
    purpose: "runs the generator of clients",
    downloadMb: 80,
    packages: ["default-jre-headless"],
  },
  { name: "go", purpose: "compiles a generated client", downloadMb: 75, packages: ["golang-go"] },
  { name: "python3", purpose: "runs the verifier that the documentation shows", downloadMb: 5 },
];

/** Programs that come as Debian packages. */
export const debianPeers: readonly Peer[] = peers.map(
  ({ name, packages = [name], isPresent = () => isOnPath(name), ...shown }) => ({
    ...shown,
    name,
    isOfMachine: true,
    isPresent,
    obstacle,
    install: () => installPackages(packages),
  }),
);

function obstacle(): string | null {
  if (!isOnPath("apt-get")) return "this machine has no apt-get";
  return process.getuid?.() === 0 ? null : "only root may install packages";
}

function hasPostgresServer(): boolean {
  if (isOnPath("initdb")) return true;
  const versions = "/usr/lib/postgresql";
  if (!existsSync(versions)) return false;
  return readdirSync(versions).some((version) => existsSync(join(versions, version, "bin", "initdb")));
}

let listsUpdated: Promise<string> | undefined;

async function installPackages(packages: readonly string[]): Promise<void> {
  await withoutServiceStarts(async () => {
    listsUpdated ??= aptGet("update");
    await listsUpdated;
    await aptGet("install", "-y", ...packages);
  });
}

function aptGet(command: string, ...args: readonly string[]): Promise<string> {
  const options = ["-o", "DPkg::Lock::Timeout=300", command, "-q", "--no-install-recommends"];
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  return runCommand("apt-get", [...options, ...args], { env });
}

/**
 * Debian's maintainer scripts run this file before they start a service. Ours refuses: a test starts its own
 * servers on its own ports. The mark tells our file from one that the machine's owner wrote.
 */
const policyFile = "/usr/sbin/policy-rc.d";
const policyMark = "# written by the svc test runner, removed after the installation";
const policy = `#!/bin/sh\n${policyMark}\nexit 101\n`;

async function withoutServiceStarts(work: () => Promise<void>): Promise<void> {
  const present = existsSync(policyFile);
  if (present && !readFileSync(policyFile, "utf8").includes(policyMark)) return work();
  writeFileSync(policyFile, policy, { mode: 0o755 });
  try {
    await work();
  } finally {
    rmSync(policyFile, { force: true });
  }
}
