// peers: nginx, caddy, haproxy, traefik
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { findFreePort } from "@svc/process/free-port";
import { startProcess } from "../processes/child-process.ts";
import { missing } from "../processes/missing-peers.ts";
import { programOf } from "../processes/peer-programs.ts";
import { NGINX_DIRECTIVES } from "./nginx-directives.ts";

const SHIPPED = join(import.meta.dirname, "..", "..", "..", "forward-auth");

/** Longest wait for a proxy to load its routes, and the pause between two looks, in milliseconds. */
const LOAD_TIMEOUT_MS = 20_000;
const LOAD_POLL_MS = 25;

/** The agent that every shipped configuration names. */
export const SHIPPED_AGENT = "refund-agent";

/** Where the proxy sends what it asks about and what it lets pass. */
export interface ProxyPeers {
  readonly checkgwPort: number;
  readonly backendPort: number;
}

export interface RunningProxy {
  readonly port: number;
  output(): string;
  stop(): Promise<void>;
}

/** A reverse proxy that runs the shipped configuration, with nothing but its addresses replaced. */
export interface ForwardAuthProxy extends ProxyTraits {
  readonly name: string;
  /** Why its tests cannot run; null: they can. */
  readonly missing: () => string | null;
  readonly start: (peers: ProxyPeers) => Promise<RunningProxy>;
}

/** What a proxy cannot do, as README.md of the configurations says. */
interface ProxyTraits {
  /** Whether it refuses other statuses of the 2xx kind than 200, and answers every refusal with 403. */
  readonly comparesStatus: boolean;
  /** Whether its routes match the path byte by byte; else `/%72efunds` is `/refunds`. */
  readonly matchesBytes: boolean;
  /** Whether it asks with an id of the request, and shows the id of the decision with an allowed answer. */
  readonly setsHeadersPerRequest: boolean;
  /** The status that a client gets when the adapter gives no answer. */
  readonly unansweredStatus: 403 | 500;
  /** How long it waits for the adapter, in milliseconds. */
  readonly timeoutMs: number;
}

const EVERYTHING: ProxyTraits = {
  comparesStatus: true,
  matchesBytes: true,
  setsHeadersPerRequest: true,
  unansweredStatus: 403,
  timeoutMs: 3_000,
};

interface ProxyRecipe extends ProxyTraits {
  readonly name: "nginx" | "caddy" | "haproxy" | "traefik";
  /** Files of the shipped folder whose addresses are replaced. */
  readonly files: readonly string[];
  /** Ends it at once: Traefik waits for connections that clients keep open. */
  readonly stopSignal?: NodeJS.Signals;
  args(folder: string): readonly string[];
}

const recipes: readonly ProxyRecipe[] = [
  {
    ...EVERYTHING,
    name: "nginx",
    files: ["nginx.conf"],
    args: (folder) => ["-p", folder, "-c", join(folder, "nginx.conf"), "-g", NGINX_DIRECTIVES],
  },
  {
    ...EVERYTHING,
    name: "caddy",
    files: ["Caddyfile"],
    args: (folder) => ["run", "--config", join(folder, "Caddyfile"), "--adapter", "caddyfile"],
  },
  {
    ...EVERYTHING,
    name: "haproxy",
    files: ["haproxy.cfg"],
    args: (folder) => ["-db", "-f", join(folder, "haproxy.cfg")],
  },
  {
    name: "traefik",
    files: ["traefik.yml", "dynamic.yml"],
    stopSignal: "SIGKILL",
    args: (folder) => [`--configFile=${join(folder, "traefik.yml")}`],
    comparesStatus: false,
    matchesBytes: false,
    setsHeadersPerRequest: false,
    unansweredStatus: 500,
    timeoutMs: 30_000,
  },
];

export const forwardAuthProxies: readonly ForwardAuthProxy[] = recipes.map((recipe) => ({
  ...recipe,
  missing: () => missing[recipe.name],
  start: (peers) => startProxy(recipe, peers),
}));

async function startProxy(recipe: ProxyRecipe, peers: ProxyPeers): Promise<RunningProxy> {
  const command = programOf(recipe.name);
  const folder = await mkdtemp(join(tmpdir(), `svc-${recipe.name}-`));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const [port, innerPort] = [await findFreePort(), await findFreePort()];
    await cp(join(SHIPPED, recipe.name), folder, { recursive: true });
    await replaceAddresses(
      recipe.files.map((file) => join(folder, file)),
      { ...peers, port, innerPort },
    );
    const options = { cwd: folder, ready: { port }, env: { HOME: folder, XDG_DATA_HOME: folder } };
    const child = await startProcess(command, recipe.args(folder), options);
    await routesLoaded(port);
    return { port, output: () => child.output(), stop: () => child.stop(recipe.stopSignal).then(remove) };
  } catch (error) {
    await remove();
    throw error;
  }
}

/**
 * Traefik listens before it has read its routes and answers 404 until then; no configuration answers 404. A
 * connection may also fail: an earlier proxy can have had the same port.
 */
async function routesLoaded(port: number): Promise<void> {
  const deadline = performance.now() + LOAD_TIMEOUT_MS;
  while (!(await isLoaded(port))) {
    if (performance.now() > deadline) throw new Error(`expected routes on port ${String(port)}, found none`);
    await delay(LOAD_POLL_MS);
  }
}

async function isLoaded(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${String(port)}/`)).status !== 404;
  } catch {
    return false;
  }
}

/** Fails when an address is in none of the files: the tests must run the shipped configuration. */
async function replaceAddresses(
  files: readonly string[],
  { port, innerPort, checkgwPort, backendPort }: ProxyPeers & Readonly<Record<"port" | "innerPort", number>>,
): Promise<void> {
  const replacements: readonly (readonly [RegExp, string])[] = [
    [/(?<=[ :])8088\b/g, String(port)],
    [/(?<=[ :])9004\b/g, String(checkgwPort)],
    [/(?<=[ :])3000\b/g, String(backendPort)],
  ];
  // Traefik alone has a second address of its own.
  const inner = [/(?<=[ :])8089\b/g, String(innerPort)] as const;
  const texts = await Promise.all(files.map((file) => readFile(file, "utf8")));
  for (const [pattern] of replacements) {
    if (!texts.some((text) => text.search(pattern) >= 0))
      throw new Error(`${files.join()}: no ${pattern.source}`);
  }
  for (const [index, file] of files.entries()) {
    const text = texts[index] ?? "";
    await writeFile(
      file,
      [...replacements, inner].reduce((changed, [pattern, to]) => changed.replace(pattern, to), text),
    );
  }
}
