import { join } from "node:path";
import { shownSecret } from "@svc/contract/testing/shown-secret";
import { onTestFinished } from "vitest";
import { type RunningProcess, startProcess } from "../processes/child-process.ts";
import { makeTemporaryDirectory } from "../processes/temporary-directory.ts";
import { BOOTSTRAP_KEY, type Callers, forgetServer, rememberServer } from "./role-keys.ts";

/** The binary `svc-server`. */
export const SERVER_ENTRY = join(
  import.meta.dirname,
  "..",
  "..",
  "..",
  "packages",
  "server",
  "dist",
  "main.js",
);

export interface ServerOptions {
  /** Without one the server gets its own, which goes with it. */
  readonly dataDir?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The binary of another build. */
  readonly entry?: string;
  /**
   * On unless said otherwise: `send` and the programs that tests start have keys of the documented roles.
   * Off: the server takes every request without a key. Variables of `env` about keys leave both to the test.
   */
  readonly authentication?: "on" | "off";
  /** Whose key `send` adds to calls and reports of outcomes: that of an agent unless said otherwise. */
  readonly callers?: Callers;
  /** When it counts as started; at `listening` it may still compile policies, and denies until then. */
  readonly until?: "listening" | "policies loaded";
}

const AUTHENTICATION = {
  on: { SVC_AUTH: "on", SVC_BOOTSTRAP_API_KEY: BOOTSTRAP_KEY },
  off: { SVC_AUTH: "off" },
  "of the test": {},
} as const;

const KEY_VARIABLES = ["SVC_AUTH", "SVC_BOOTSTRAP_API_KEY", "SVC_BOOTSTRAP_API_KEY_FILE"];

/** What every process on one database of PostgreSQL needs, unless a test has its own. */
export const SECRETS_KEY = Buffer.alloc(32, "a key of tests").toString("base64");

const SECRETS_VARIABLES = ["SVC_SECRETS_KEY", "SVC_SECRETS_KEY_FILE"];

function secretsKeyFor(env: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const isShared = "SVC_DATABASE_URL" in env || "SVC_DATABASE_URL_FILE" in env;
  const isLeftToTest = SECRETS_VARIABLES.some((name) => name in env);
  return isShared && !isLeftToTest ? { SVC_SECRETS_KEY: SECRETS_KEY } : {};
}

/** A real svc-server in a process of its own, on free ports. */
export interface ServerProcess extends RunningProcess {
  /** Address of the gateway and control endpoints. */
  readonly url: string;
  readonly port: number;
  readonly dataDir: string;
}

/** There are several ways to a database that a test makes, and no other has its name. */
function storeOf(databaseUrl: string): string {
  const name = databaseUrl.replace(/\?.*/, "").replace(/^.*\//, "");
  return name === "postgres" ? databaseUrl : name;
}

/** Starts a server and waits until its policies are in force. @throws with its output when it does not. */
export async function startServer(options: ServerOptions = {}): Promise<ServerProcess> {
  const { dataDir, env = {}, entry = SERVER_ENTRY, until = "policies loaded", callers = "agent" } = options;
  const isLeftToTest = KEY_VARIABLES.some((name) => name in env);
  const authentication = isLeftToTest ? "of the test" : (options.authentication ?? "on");
  const own = dataDir === undefined ? await makeTemporaryDirectory() : null;
  const path = dataDir ?? own?.path ?? "";
  try {
    const child = await startProcess(process.execPath, [entry], {
      env: {
        SVC_LISTEN: "127.0.0.1:0",
        SVC_DATA_DIR: path,
        ...AUTHENTICATION[authentication],
        ...secretsKeyFor(env),
        ...env,
      },
      ready: { line: LISTENING },
    });
    const stop = async (signal?: NodeJS.Signals): Promise<number | null> => {
      const code = await child.stop(signal);
      forgetServer(url);
      await own?.remove();
      const secret = shownSecret(child.output(), env);
      if (secret !== null) throw new Error(`a server printed ${secret}`);
      return code;
    };
    const url = listeningUrl(child.lines);
    if (authentication === "on") {
      const { SVC_DATABASE_URL: databaseUrl } = env;
      const store = databaseUrl === undefined ? path : storeOf(databaseUrl);
      rememberServer({ url, store, callers, makesKeys: env["SVC_ROLE"] !== "gateway" });
    }
    if (until === "policies loaded") await policiesLoaded(url);
    return { ...child, url, port: Number(new URL(url).port), dataDir: path, stop };
  } catch (error) {
    await own?.remove();
    throw error;
  }
}

/** The same, for one test: it goes with the test that asked for it, however that ends. */
export async function serverOfTest(options?: ServerOptions): Promise<ServerProcess> {
  const server = await startServer(options);
  onTestFinished(async () => {
    await server.stop("SIGKILL");
  });
  return server;
}

/** Milliseconds until the policies of a start must have been compiled. */
const LOADED_WITHIN_MS = 30_000;

async function policiesLoaded(url: string): Promise<void> {
  const deadlineMs = performance.now() + LOADED_WITHIN_MS;
  for (;;) {
    const answer = await fetch(`${url}/readyz`);
    const { policies } = (await answer.json()) as { policies?: string };
    if (policies === "ok") return;
    if (performance.now() > deadlineMs) throw new Error("the server's policies were not loaded in time");
  }
}

/** The server logs `{"msg":"listening","url":...}` once it is ready. */
const LISTENING = /"msg":"listening"/;

function listeningUrl(lines: readonly string[]): string {
  const line = lines.find((candidate) => LISTENING.test(candidate)) ?? "{}";
  const { url } = JSON.parse(line) as { url?: string };
  if (url === undefined) throw new Error(`no url in ${line}`);
  return url;
}
