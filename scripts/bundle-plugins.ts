import { readFile } from "node:fs/promises";
import type { Options } from "tsup";

type Plugin = NonNullable<Options["esbuildPlugins"]>[number];

/**
 * Takes the modules of Node without import statements. Node reads every export of a module that is imported,
 * and some of them load what nobody asked for: `WebSocket` of `node:http` loads a whole HTTP client, which
 * costs each thread 50 ms and 13 MiB.
 */
const plainBuiltins: Plugin = {
  name: "plain-builtins",
  setup(builder) {
    const namespace = "plain-builtin";
    builder.onResolve({ filter: /^node:/ }, ({ kind, path }) =>
      kind === "import-statement" ? { path, namespace } : null,
    );
    builder.onLoad({ filter: /.*/, namespace }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)})`,
    }));
  },
};

/** Leaves out the messages of zod in 50 further languages: half of its bytes, which nothing here shows. */
const englishZod: Plugin = {
  name: "english-zod",
  setup(builder) {
    builder.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: 'export { default as en } from "./en.js"',
    }));
  },
};

/** What the programs use of undici: name of the export to its module. */
export const UNDICI_MODULES = {
  Agent: "./lib/dispatcher/agent.js",
  Client: "./lib/dispatcher/client.js",
  Pool: "./lib/dispatcher/pool.js",
  buildConnector: "./lib/core/connect.js",
  errors: "./lib/core/errors.js",
} as const;

/** Its index gives dispatchers their methods for requests, of which the programs use one. */
const UNDICI_REQUEST =
  'require("./lib/dispatcher/dispatcher.js").prototype.request = require("./lib/api/api-request.js");\n';

/** Leaves out what the programs do not use of undici: `fetch`, caches, mocks and proxies, a megabyte. */
const pooledUndici: Plugin = {
  name: "pooled-undici",
  setup(builder) {
    builder.onLoad({ filter: /[\\/]undici[\\/]index\.js$/ }, () => ({
      contents: UNDICI_REQUEST + exportsOf(UNDICI_MODULES),
    }));
  },
};

/** What the programs use of prom-client: name of the export to its module. */
export const PROM_CLIENT_MODULES = {
  Counter: "./lib/counter",
  Gauge: "./lib/gauge",
  Histogram: "./lib/histogram",
  Registry: "./lib/registry",
  collectDefaultMetrics: "./lib/defaultMetrics",
} as const;

/**
 * Leaves out what the programs do not use of prom-client: summaries, a cluster of processes, and a client
 * that sends figures over HTTP. The traces of OpenTelemetry serve exemplars alone, which nothing enables.
 */
const countingPromClient: Plugin = {
  name: "counting-prom-client",
  setup(builder) {
    builder.onLoad({ filter: /[\\/]prom-client[\\/]index\.js$/ }, () => ({
      contents: exportsOf(PROM_CLIENT_MODULES),
    }));
    const namespace = "no-traces";
    builder.onResolve({ filter: /^@opentelemetry\/api$/ }, ({ path, importer }) =>
      /[\\/]prom-client[\\/]/.test(importer) ? { path, namespace } : null,
    );
    builder.onLoad({ filter: /.*/, namespace }, () => ({ contents: "module.exports = {}" }));
  },
};

/** A comment of this module about its licence is kept, and the name in it has a letter that is not ASCII. */
const asciiUndici: Plugin = {
  name: "ascii-undici",
  setup(builder) {
    builder.onLoad({ filter: /[\\/]undici[\\/]lib[\\/]web[\\/]fetch[\\/]body\.js$/ }, async ({ path }) => ({
      contents: (await readFile(path, "utf8")).replaceAll("\u00e4", "\\u00e4"),
    }));
  },
};

function exportsOf(modules: Readonly<Record<string, string>>): string {
  return Object.entries(modules)
    .map(([name, module]) => `module.exports.${name} = require(${JSON.stringify(module)});`)
    .join("\n");
}

export const BUNDLE_PLUGINS: readonly Plugin[] = [
  plainBuiltins,
  englishZod,
  pooledUndici,
  countingPromClient,
  asciiUndici,
];
