import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findInstalledEnvoy, findProgram } from "@svc/process/find-program";
import { findFreePort } from "@svc/process/free-port";
import { type RunningChild, startChild } from "../child-process.ts";
import type { Bench } from "../scenario.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { changeText, type TextChange } from "./change-text.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..");
const SHIPPED = join(ROOT, "envoy", "envoy.yaml");

/** The route table that belongs to it. */
export const SHIPPED_ROUTES = join(ROOT, "envoy", "routes.yaml");

/** Takes the second line of defence away: without a verdict nothing would pass it. */
const WITHOUT_GUARD: TextChange = [/ +# The second line:[^]*?(?= +- name: envoy\.filters\.http\.router)/, ""];

/** Envoy as named by SVC_TEST_ENVOY, on the PATH, or as the test runner installed it; else null. */
export function findEnvoy(): string | null {
  const named = process.env["SVC_TEST_ENVOY"];
  if (named !== undefined && named !== "") return named;
  return findProgram("envoy") ?? findInstalledEnvoy(ROOT);
}

export interface EnvoyPeers {
  readonly program: string;
  readonly backend: string;
  readonly processor: string;
  /** Whether requests without the processor's mark are refused, as shipped. */
  readonly isGuarded: boolean;
}

/** Envoy with the shipped configuration; `ready` is the URL of its health, `url` that of the proxy. */
export async function startEnvoy(
  bench: Bench,
  { program, backend, processor, isGuarded }: EnvoyPeers,
): Promise<RunningChild & { readonly url: string }> {
  const folder = await temporaryFolder(bench.dataFolder, bench.cleanup);
  const [port, adminPort] = [await findFreePort(), await findFreePort()];
  const file = join(folder, "envoy.yaml");
  const changes: TextChange[] = [
    ["port_value: 8087", `port_value: ${port}`],
    ["port_value: 9901", `port_value: ${adminPort}`],
    ["port_value: 9002", `port_value: ${new URL(processor).port}`],
    ["port_value: 3000", `port_value: ${new URL(backend).port}`],
    ...(isGuarded ? [] : [WITHOUT_GUARD]),
  ];
  await writeFile(file, changeText(await readFile(SHIPPED, "utf8"), changes));
  // Without its own base id an Envoy would find the shared memory of another.
  const flags = ["--use-dynamic-base-id", "--concurrency", "1", "-l", "error"];
  const child = await startChild([program, "-c", file, ...flags], {
    env: { HOME: folder },
    readiness: { kind: "answers", url: `http://127.0.0.1:${adminPort}/ready` },
    cleanup: bench.cleanup,
  });
  return { ...child, url: `http://127.0.0.1:${port}` };
}
