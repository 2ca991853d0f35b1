import { join } from "node:path";
import { pathToFileURL } from "node:url";

/**
 * The folder of bundled threads that a run of tests makes. A thread that loads sources takes five times the
 * processor time to start. Read by sources only: a bundle finds its threads beside itself.
 */
const WORKERS_FOLDER = "SVC_TEST_WORKERS";

/**
 * The module of a thread, for `new Worker`.
 * @param name without extension, such as `writer-worker`
 * @param importer the `import.meta.url` of the module that starts the thread: its source stands beside it,
 *   and the bundle of the thread beside the bundle of the program
 */
export function threadUrl(name: string, importer: string): URL {
  if (!importer.endsWith(".ts")) return new URL(`./${name}.js`, importer);
  const folder = process.env[WORKERS_FOLDER];
  return folder ? pathToFileURL(join(folder, `${name}.js`)) : new URL(`./${name}.ts`, importer);
}
