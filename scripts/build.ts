/**
 * Bundles the binaries with everything they import, so a bundle runs without node_modules.
 * Prints one line per file it made, relative to the root: the bootstrap checks that they are still there.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { makeCliPackage } from "./build-cli-package.ts";
import { makeLibrary } from "./build-library.ts";
import { makeTestKit } from "./build-test-kit.ts";
import { bundleForBrowsers } from "./bundle-for-browsers.ts";
import { bundleModules } from "./bundle-modules.ts";
import { programName, writeLauncher } from "./launcher.ts";
import { THREADS } from "./threads.ts";
import { root, toolsDir } from "./toolchain.mjs";

interface Bundle {
  /** Package folder; the bundle goes to its `dist`. */
  readonly folder: string;
  /** What people start: output name to source, from the root. */
  readonly programs?: Readonly<Record<string, string>>;
  /** Threads that the programs start by their path beside their bundle: output name to source. */
  readonly threads?: Readonly<Record<string, string>>;
  /** Modules that others load: output name to source. No package.json beside them says what they are. */
  readonly handlers?: Readonly<Record<string, string>>;
  /** Files that the program sends as they are: name in `dist` to source, from the root. */
  readonly files?: Readonly<Record<string, string>>;
  /** The oldest major version of Node that runs it; MIN_NODE unless said. */
  readonly minNode?: number;
  /** Exit code on an older Node; 1 unless said. */
  readonly oldNodeExit?: number;
}

/** The oldest major version of Node that the bundles are made for and tested with. */
const MIN_NODE = 24;

/** Where the server's documents are made, from the root. */
const DOCUMENTS = "packages/api/dist";

/** Where the script of the page that tries GraphQL is made, from the root. */
const PLAYGROUND = "packages/graphql/dist";

/** What runs Rego modules: beside each bundle that does. */
const REGO = {
  "reactor.wasm.br": "packages/rego/reactor/reactor.wasm.br",
  "reactor.LICENCES": "packages/rego/reactor/LICENCES",
};

const bundles: readonly Bundle[] = [
  {
    folder: "packages/server",
    programs: {
      start: "packages/server/src/start.ts",
      main: "packages/server/src/main.ts",
      // What `svc-cli dev` starts.
      dev: "packages/server/src/dev.ts",
    },
    threads: THREADS,
    files: {
      ...REGO,
      "static/openapi.yaml": "packages/api/openapi/openapi.yaml",
      "static/schema.graphql": "packages/graphql/schema.graphql",
      "static/playground.css": "packages/graphql/playground/playground.css",
      "static/playground.js": `${PLAYGROUND}/playground.js`,
      "static/openapi.json": `${DOCUMENTS}/openapi.json`,
      "static/openapi-3.0.yaml": `${DOCUMENTS}/openapi-3.0.yaml`,
      "static/reasons.html": `${DOCUMENTS}/reasons.html`,
      "static/swagger-ui.css": "packages/web/node_modules/swagger-ui-dist/swagger-ui.css",
      "static/swagger-ui-bundle.js": "packages/web/node_modules/swagger-ui-dist/swagger-ui-bundle.js",
    },
  },
  {
    folder: "packages/checkgw",
    programs: { main: "packages/checkgw/src/main.ts" },
    threads: { "guardrail-worker": THREADS["guardrail-worker"] },
  },
  { folder: "packages/extproc", programs: { main: "packages/extproc/src/main.ts" } },
  { folder: "packages/mcp-proxy", programs: { main: "packages/mcp-proxy/src/main.ts" } },
  {
    folder: "packages/agentcore-interceptor",
    handlers: { handler: "packages/agentcore-interceptor/src/handler.ts" },
    // The older of the runtimes that functions are offered with.
    minNode: 22,
  },
  // A coding agent runs a call whose hook ends with another code than 2.
  {
    folder: "packages/cli",
    programs: { main: "packages/cli/src/main.ts" },
    threads: { "rego-worker": THREADS["rego-worker"] },
    files: REGO,
    oldNodeExit: 2,
  },
];

/** Refuses an older Node, which would fail later, at a missing function. */
function refuseOldNode(folder: string, minNode: number, exitCode: number): string[] {
  const name = folder.slice(folder.lastIndexOf("/") + 1);
  const needed = `${name}: needs Node ${String(minNode)} or later, found `;
  const refuse = `process.stderr.write(${JSON.stringify(needed)} + process.versions.node + "\\n")`;
  return [
    `if (parseInt(process.versions.node) < ${String(minNode)}) {`,
    `  ${refuse}; process.exit(${String(exitCode)})`,
    "}",
  ];
}

async function makeBundle(bundle: Bundle): Promise<string[]> {
  const { folder, files = {} } = bundle;
  const finished = join(root, folder, "dist");
  const unfinished = join(toolsDir, `unfinished-${process.pid}`, folder);
  await bundleInto(unfinished, bundle);
  for (const [name, source] of Object.entries(files)) cpSync(join(root, source), join(unfinished, name));
  rmSync(finished, { recursive: true, force: true });
  renameSync(unfinished, finished);
  return readdirSync(finished).map((file) => relative(root, join(finished, file)));
}

/** The documents that packages/api derives from the table of routes. */
function makeDocuments(): string[] {
  const { version } = JSON.parse(readFileSync("packages/api/package.json", "utf8")) as { version: string };
  const printed = execFileSync(process.execPath, ["packages/api/src/print-documents.ts", version], {
    encoding: "utf8",
    maxBuffer: Number.POSITIVE_INFINITY,
  });
  mkdirSync(DOCUMENTS, { recursive: true });
  return Object.entries(JSON.parse(printed) as Record<string, string>).map(([name, text]) => {
    writeFileSync(join(DOCUMENTS, name), text);
    return join(DOCUMENTS, name);
  });
}

async function bundleInto(outDir: string, bundle: Bundle): Promise<void> {
  const { folder, programs = {}, threads = {}, handlers = {} } = bundle;
  const { minNode = MIN_NODE, oldNodeExit = 1 } = bundle;
  const first = refuseOldNode(folder, minNode, oldNodeExit);
  await bundleModules({ entry: handlers, outDir, extension: ".mjs", first });
  const entry = Object.fromEntries(
    Object.entries(programs).map(([name, source]) => [programName(name), source] as const),
  );
  await bundleModules({ entry, outDir });
  // A thread loads only what it needs, from one file.
  await bundleModules({ entry: threads, outDir, splitting: false });
  for (const name of Object.keys(programs)) writeLauncher(outDir, name, first);
}

process.chdir(root);
for (const file of makeDocuments()) process.stdout.write(`${file}\n`);
await bundleForBrowsers({ playground: "packages/graphql/playground/playground.js" }, PLAYGROUND);
process.stdout.write(`${PLAYGROUND}/playground.js\n`);
for (const bundle of bundles) {
  for (const file of await makeBundle(bundle)) process.stdout.write(`${file}\n`);
}
for (const file of makeCliPackage(MIN_NODE)) process.stdout.write(`${file}\n`);
for (const file of await makeLibrary({ folder: "packages/sdk" })) process.stdout.write(`${file}\n`);
for (const file of await makeTestKit()) process.stdout.write(`${file}\n`);
rmSync(join(toolsDir, `unfinished-${process.pid}`), { recursive: true, force: true });
