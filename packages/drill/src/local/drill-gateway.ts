import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseJson } from "@svc/text/parse-json";
import { GatewayApi } from "../api/gateway-api.ts";
import { DrillFault } from "../drill-fault.ts";
import { isTrueWithin } from "../is-true-within.ts";
import { type KeptProcess, startKeptProcess } from "./kept-process.ts";
import type { Link } from "./link.ts";

/** Milliseconds for a gateway to listen, and then to be ready. */
const START_DEADLINE_MS = 30_000;

/** The key of stored secrets of every gateway of the drill, which stores none. */
const SECRETS_KEY = randomBytes(32).toString("base64");

export interface DrillGatewayOptions {
  readonly id: string;
  readonly folder: string;
  /** The file of svc-server. */
  readonly program: string;
  readonly databaseUrl: string;
  readonly link: Link;
}

/** A real svc-server in a process of its own, whose link to its database can be broken. */
export class DrillGateway {
  readonly id: string;
  readonly link: Link;
  readonly #options: DrillGatewayOptions;
  readonly #dataDir: string;
  #running: { readonly process: KeptProcess; readonly api: GatewayApi } | null = null;

  constructor(options: DrillGatewayOptions) {
    this.id = options.id;
    this.link = options.link;
    this.#options = options;
    this.#dataDir = join(options.folder, options.id);
    mkdirSync(this.#dataDir, { mode: 0o700 });
  }

  get api(): GatewayApi {
    if (this.#running === null) throw new Error(`${this.id} was not started`);
    return this.#running.api;
  }

  /** Starts it, again on the same data. @throws DrillFault with its output when it does not start. */
  async start(signal: AbortSignal): Promise<void> {
    const { program, databaseUrl } = this.#options;
    let url: URL | null = null;
    const child = startKeptProcess(process.execPath, {
      args: [program],
      env: {
        SVC_LISTEN: "127.0.0.1:0",
        SVC_AUTH: "off",
        SVC_DATA_DIR: this.#dataDir,
        SVC_DATABASE_URL: databaseUrl,
        SVC_SECRETS_KEY: SECRETS_KEY,
        SVC_GATEWAY_ID: this.id,
        SVC_ROLE: "all",
      },
      onLine: (line) => {
        url ??= listeningUrl(line);
      },
    });
    try {
      await isTrueWithin(() => url !== null || child.hasEnded, { withinMs: START_DEADLINE_MS, signal });
      if (url === null) throw new DrillFault("unreachable", `${this.id} did not start: ${child.output()}`);
      const api = new GatewayApi(url, null);
      this.#running = { process: child, api };
      const isReady = () => api.request("GET", "/readyz").then(isTrue, isFalse);
      if (!(await isTrueWithin(isReady, { withinMs: START_DEADLINE_MS, signal })))
        throw new DrillFault("unreachable", `${this.id} is not ready: ${child.output()}`);
    } catch (error) {
      await child.stop("SIGKILL");
      throw error;
    }
  }

  signal(signal: NodeJS.Signals): void {
    this.#running?.process.signal(signal);
  }

  /** Ends it as a crash would. */
  async kill(): Promise<void> {
    await this.#running?.process.stop("SIGKILL");
  }

  /** The keys that it signs checkpoints with, one line each. */
  publicKeys(): Promise<string> {
    return readFile(join(this.#dataDir, "public-keys.txt"), "utf8");
  }
}

const isTrue = (): boolean => true;
const isFalse = (): boolean => false;

/** The address in `{"msg":"listening","url":...}`, which the server logs. */
function listeningUrl(line: string): URL | null {
  if (!line.includes('"msg":"listening"')) return null;
  const { url } = parseJson(line) as { readonly url?: unknown };
  return typeof url === "string" ? URL.parse(url) : null;
}
