import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findProgram } from "@svc/process/find-program";
import { findFreePort } from "@svc/process/free-port";
import { type RunningChild, startChild } from "../child-process.ts";
import type { Bench } from "../scenario.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { changeText, type TextChange } from "./change-text.ts";

const SHIPPED = join(import.meta.dirname, "..", "..", "..", "forward-auth", "nginx", "nginx.conf");
const HEADERS_MORE = "/usr/lib/nginx/modules/ngx_http_headers_more_filter_module.so";

/** As root, nginx hands its workers to another user, who may not enter a folder of ours. */
const DIRECTIVES = process.getuid?.() === 0 ? "daemon off; user root;" : "daemon off;";

/** What takes the question out of the shipped configuration, and leaves the proxy. */
const WITHOUT_QUESTION: readonly TextChange[] = [
  [/auth_request \/_svc;/, ""],
  [/auth_request_set (\$\w+) .*;/g, 'set $1 "";'],
  ["proxy_pass http://$svc_backend;", "proxy_pass http://svc_backend;"],
];

/** The program, or what this machine lacks. */
export function findNginx(): { readonly program: string } | { readonly missing: string } {
  const program = findProgram("nginx");
  if (program === null) return { missing: "nginx" };
  return existsSync(HEADERS_MORE) ? { program } : { missing: HEADERS_MORE };
}

export interface NginxPeers {
  readonly program: string;
  readonly backend: string;
  /** Where the shipped configuration asks; null: nowhere, the same proxy without the question. */
  readonly hook: string | null;
}

/** nginx with the shipped configuration; nothing but its addresses and number of workers replaced. */
export async function startNginx(
  bench: Bench,
  { program, backend, hook }: NginxPeers,
): Promise<RunningChild> {
  const folder = await temporaryFolder(bench.dataFolder, bench.cleanup);
  const url = `http://127.0.0.1:${await findFreePort()}`;
  const file = join(folder, "nginx.conf");
  const changes: TextChange[] = [
    [/(?<=[ :])8088\b/g, new URL(url).port],
    [/(?<=[ :])9004\b/g, new URL(hook ?? backend).port],
    [/(?<=[ :])3000\b/g, new URL(backend).port],
    ["worker_processes auto;", "worker_processes 1;"],
    ...(hook === null ? WITHOUT_QUESTION : []),
  ];
  await writeFile(file, changeText(await readFile(SHIPPED, "utf8"), changes));
  return startChild([program, "-p", folder, "-c", file, "-g", DIRECTIVES], {
    readiness: { kind: "accepts", url },
    cleanup: bench.cleanup,
  });
}
