import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { findPostgresPrograms } from "@svc/process/find-postgres-programs";
import { findInstalledEnvoy, findProgram } from "@svc/process/find-program";

const ROOT = join(import.meta.dirname, "..", "..", "..");

/** Where the test runner puts what it installs. */
const TOOLS = join(ROOT, ".tools");

const HEADERS_MORE = "/usr/lib/nginx/modules/ngx_http_headers_more_filter_module.so";
const INSPECTOR = "inspector/node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js";
const PORTKEY = "portkey/node_modules/@portkey-ai/gateway/build/start-server.js";

/** A file for each framework in Python. */
const FRAMEWORK_PINS = join(import.meta.dirname, "..", "..", "clients", "python", "frameworks");

/** The MCP clients, and with them the Python SDK of the eras with sessions. */
export const PYTHON_AGENTS = join(TOOLS, "python-agents");
export const PYTHON_SDK_2 = join(TOOLS, "python-mcp-2");

/** The program, script or folder of each peer by the name that tests declare it with; null: not installed. */
const PROGRAMS = {
  bun: () => installed("bun/node_modules/@oven/bun-linux-x64/bin/bun"),
  buildah: () => findProgram("buildah"),
  caddy: () => findProgram("caddy"),
  chromium: () => findProgram("chromium"),
  curl: () => findProgram("curl"),
  "debian-root": () => installed("debian-root/root.tar"),
  deno: () => installed("deno/node_modules/@deno/linux-x64-glibc/deno"),
  envoy: findEnvoy,
  faketime: () => findProgram("faketime"),
  hadolint: () => installed("hadolint/bin/hadolint"),
  fish: () => findProgram("fish"),
  go: () => findProgram("go"),
  haproxy: () => findProgram("haproxy"),
  helm: () => installed("helm/bin/helm"),
  inspector: () => installed(INSPECTOR),
  java: () => findProgram("java"),
  "kubernetes-validate": () => installed("kubernetes-validate"),
  litellm: () => installed("litellm"),
  mandoc: () => findProgram("mandoc"),
  moto: () => installed("moto"),
  nginx: () => (existsSync(HEADERS_MORE) ? findProgram("nginx") : null),
  "openapi-generator": () => installed("openapi-generator"),
  "otel-collector": () => installed("otel-collector/otel-collector"),
  openssl: () => findProgram("openssl"),
  portkey: () => installed(PORTKEY),
  postgres: findPostgresPrograms,
  promtool: () => findProgram("promtool"),
  python3: () => findProgram("python3"),
  "python-client": () => installed("python-client"),
  "python-frameworks": pythonFrameworksFolder,
  "python-mcp": () => (existsSync(PYTHON_SDK_2) ? installed("python-agents") : null),
  rsyslog: () => findProgram("rsyslogd"),
  schemathesis: () => installed("schemathesis"),
  standardwebhooks: () => installed("standardwebhooks"),
  strace: () => findProgram("strace"),
  "systemd-analyze": () => findProgram("systemd-analyze"),
  traefik: findTraefik,
  "typescript-frameworks": () => installed(`typescript-frameworks-${frameworksAge()}`),
  workerd: () => installed("workerd/node_modules/@cloudflare/workerd-linux-64/bin/workerd"),
  zsh: () => findProgram("zsh"),
} as const satisfies Readonly<Record<string, () => string | null>>;

export type PeerName = keyof typeof PROGRAMS;

export const PEER_NAMES = Object.keys(PROGRAMS) as readonly PeerName[];

export function findPeer(name: PeerName): string | null {
  return PROGRAMS[name]();
}

/** @throws when the peer is not installed */
export function programOf(name: PeerName): string {
  const program = findPeer(name);
  if (program === null) throw new Error(`${name} is not installed: npm test -- --peers all installs it`);
  return program;
}

function installed(path: string): string | null {
  return existsSync(join(TOOLS, path)) ? join(TOOLS, path) : null;
}

/** Where the pins of the frameworks are, when each of them is installed. */
function pythonFrameworksFolder(): string | null {
  return pythonFrameworks().every(({ folder }) => existsSync(folder)) ? FRAMEWORK_PINS : null;
}

export interface PythonFramework {
  readonly name: string;
  readonly folder: string;
}

/**
 * Which releases of the agent frameworks the tests run with: the newest, unless SVC_TEST_FRAMEWORKS asks for
 * the oldest that are supported.
 */
function frameworksAge(): "newest" | "oldest" {
  const given = process.env["SVC_TEST_FRAMEWORKS"] || "newest";
  if (given === "newest" || given === "oldest") return given;
  throw new TypeError(`SVC_TEST_FRAMEWORKS: expected newest or oldest, found ${given}`);
}

/** The agent frameworks in Python that have an adapter, by the files that pin them. */
export function pythonFrameworks(): readonly PythonFramework[] {
  const isOldest = frameworksAge() === "oldest";
  const pins = isOldest ? join(FRAMEWORK_PINS, "oldest") : FRAMEWORK_PINS;
  const files = readdirSync(pins).filter((file) => file.endsWith(".txt"));
  const names = files.map((file) => basename(file, ".txt")).toSorted();
  const suffix = isOldest ? "-oldest" : "";
  return names.map((name) => ({ name, folder: join(TOOLS, `python-framework-${name}${suffix}`) }));
}

/** Envoy as named by SVC_TEST_ENVOY, on the PATH, or as the test runner installed it; else null. */
function findEnvoy(): string | null {
  return process.env["SVC_TEST_ENVOY"] || (findProgram("envoy") ?? findInstalledEnvoy(ROOT));
}

/** Traefik as named by SVC_TEST_TRAEFIK, as the test runner built it, or on the PATH; else null. */
function findTraefik(): string | null {
  return process.env["SVC_TEST_TRAEFIK"] || (installed("traefik/traefik") ?? findProgram("traefik"));
}
