/**
 * Bundles the binaries with everything they import, so a bundle runs without node_modules.
 * Prints one line per file it made, relative to the root: the bootstrap checks that they are still there.
 */
import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";
import { makeCliPackage } from "./build-cli-package.ts";
import { makeLibrary } from "./build-library.ts";
import { makeTestKit } from "./build-test-kit.ts";
import { bundleModules } from "./bundle-modules.ts";
import { THREADS } from "./threads.ts";
import { root, toolsDir } from "./toolchain.mjs";

type Bundle = {
  /** Package folder; the bundle goes to its `dist`. */
  readonly folder: string;
  /** Output name to source, from the root. A source that does not exist is left out. */
  readonly entries: Readonly<Record<string, string>>;
  /** Files that the program sends as they are: name in `dist` to source, from the root. */
  readonly files?: Readonly<Record<string, string>>;
  /** The oldest major version of Node that runs it; MIN_NODE unless said. */
  readonly minNode?: number;
  /** `.mjs` where no package.json beside the bundle says that it is a module. */
  readonly extension?: ".js" | ".mjs";
  /** Exit code on an older Node; 1 unless said. */
  readonly oldNodeExit?: number;
};

/** The oldest major version of Node that the bundles are made for and tested with. */
const MIN_NODE = 24;

/** Where the server's documents are made, from the root. */
const DOCUMENTS = "packages/api/dist";

const bundles: readonly Bundle[] = [
  {
    folder: "packages/server",
    entries: {
      start: "packages/server/src/start.ts",
      main: "packages/server/src/main.ts",
      // What `svc-cli dev` starts.
      dev: "packages/server/src/dev.ts",
      // Started by their paths beside the server's bundle.
      ...THREADS,
    },
    files: {
      "static/openapi.yaml": "packages/api/openapi/openapi.yaml",
      "static/openapi.json": `${DOCUMENTS}/openapi.json`,
      "static/openapi-3.0.yaml": `${DOCUMENTS}/openapi-3.0.yaml`,
      "static/reasons.html": `${DOCUMENTS}/reasons.html`,
      "static/swagger-ui.css": "packages/server/node_modules/swagger-ui-dist/swagger-ui.css",
      "static/swagger-ui-bundle.js": "packages/server/node_modules/swagger-ui-dist/swagger-ui-bundle.js",
    },
  },
  {
    folder: "packages/checkgw",
    entries: {
      main: "packages/checkgw/src/main.ts",
      "guardrail-worker": THREADS["guardrail-worker"],
    },
  },
  { folder: "packages/extproc", entries: { main: "packages/extproc/src/main.ts" } },
  { folder: "packages/mcp-proxy", entries: { main: "packages/mcp-proxy/src/main.ts" } },
  {
    folder: "packages/agentcore-interceptor",
    entries: { handler: "packages/agentcore-interceptor/src/handler.ts" },
    extension: ".mjs",
    // The older of the runtimes that functions are offered with.
    minNode: 22,
  },
  // A coding agent runs a call whose hook ends with another code than 2.
  { folder: "packages/cli", entries: { main: "packages/cli/src/main.ts" }, oldNodeExit: 2 },
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

async function makeBundle({
  folder,
  entries,
  files = {},
  extension = ".js",
  minNode = MIN_NODE,
  oldNodeExit = 1,
}: Bundle): Promise<string[]> {
  const entry = Object.fromEntries(
    Object.entries(entries).filter(([, source]) => existsSync(join(root, source))),
  );
  if (Object.keys(entry).length === 0) return [];
  const finished = join(root, folder, "dist");
  const unfinished = join(toolsDir, `unfinished-${process.pid}`, folder);
  const first = refuseOldNode(folder, minNode, oldNodeExit);
  await bundleModules({ entry, outDir: unfinished, extension, first });
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

process.chdir(root);
for (const file of makeDocuments()) process.stdout.write(`${file}\n`);
for (const bundle of bundles) {
  for (const file of await makeBundle(bundle)) process.stdout.write(`${file}\n`);
}
for (const file of makeCliPackage(MIN_NODE)) process.stdout.write(`${file}\n`);
for (const file of await makeLibrary({ folder: "packages/sdk" })) process.stdout.write(`${file}\n`);
for (const file of await makeTestKit()) process.stdout.write(`${file}\n`);
rmSync(join(toolsDir, `unfinished-${process.pid}`), { recursive: true, force: true });
