import { existsSync } from "node:fs";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startProcess } from "./child-process.ts";
import { findProgram } from "./find-program.ts";
import { findFreePort } from "./free-port.ts";

const SHIPPED = join(import.meta.dirname, "..", "..", "forward-auth");
const HEADERS_MORE = "/usr/lib/nginx/modules/ngx_http_headers_more_filter_module.so";

/** As root, nginx hands its workers to another user, who may not enter a folder of ours. */
export const NGINX_DIRECTIVES = process.getuid?.() === 0 ? "daemon off; user root;" : "daemon off;";

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
export interface ForwardAuthProxy {
  readonly name: string;
  /** Null, or what this machine lacks. */
  missing(): string | null;
  start(peers: ProxyPeers): Promise<RunningProxy>;
}

interface ProxyRecipe {
  readonly name: string;
  readonly program: string;
  /** Files of the shipped folder whose addresses are replaced. */
  readonly files: readonly string[];
  /** A module that the program needs beside itself. */
  readonly module?: string;
  args(folder: string): readonly string[];
}

const recipes: readonly ProxyRecipe[] = [
  {
    name: "nginx",
    program: "nginx",
    module: HEADERS_MORE,
    files: ["nginx.conf"],
    args: (folder) => ["-p", folder, "-c", join(folder, "nginx.conf"), "-g", NGINX_DIRECTIVES],
  },
  {
    name: "caddy",
    program: "caddy",
    files: ["Caddyfile"],
    args: (folder) => ["run", "--config", join(folder, "Caddyfile"), "--adapter", "caddyfile"],
  },
  {
    name: "haproxy",
    program: "haproxy",
    files: ["haproxy.cfg"],
    args: (folder) => ["-db", "-f", join(folder, "haproxy.cfg")],
  },
];

export const forwardAuthProxies: readonly ForwardAuthProxy[] = recipes.map((recipe) => ({
  name: recipe.name,
  missing: () => findMissing(recipe),
  start: (peers) => startProxy(recipe, peers),
}));

function findMissing({ program, module }: ProxyRecipe): string | null {
  if (findProgram(program) === null) return program;
  return module === undefined || existsSync(module) ? null : module;
}

async function startProxy(recipe: ProxyRecipe, peers: ProxyPeers): Promise<RunningProxy> {
  const command = findProgram(recipe.program);
  if (command === null) throw new Error(`${recipe.program} is not installed`);
  const folder = await mkdtemp(join(tmpdir(), `svc-${recipe.name}-`));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const port = await findFreePort();
    await cp(join(SHIPPED, recipe.name), folder, { recursive: true });
    for (const file of recipe.files) await replaceAddresses(join(folder, file), folder, { ...peers, port });
    const options = { cwd: folder, ready: { port }, env: { HOME: folder, XDG_DATA_HOME: folder } };
    const child = await startProcess(command, recipe.args(folder), options);
    return { port, output: () => child.output(), stop: () => child.stop().then(remove) };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Fails when an address is not there: the file under test must be the shipped one. */
async function replaceAddresses(
  file: string,
  folder: string,
  { port, checkgwPort, backendPort }: ProxyPeers & { readonly port: number },
): Promise<void> {
  const replacements: readonly (readonly [RegExp, string])[] = [
    [/(?<=[ :])8088\b/g, String(port)],
    [/(?<=[ :])9004\b/g, String(checkgwPort)],
    [/(?<=[ :])3000\b/g, String(backendPort)],
  ];
  let text = await readFile(file, "utf8");
  for (const [pattern, replacement] of replacements) {
    if (text.search(pattern) < 0) throw new Error(`${file} lacks ${pattern.source}`);
    text = text.replace(pattern, replacement);
  }
  await writeFile(file, text.replaceAll("/run/svc-denied.sock", join(folder, "denied.sock")));
}
