// peers: nginx, postgres, envoy
import { randomInt } from "node:crypto";
import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { freshDatabase } from "@svc/store/testing/shared-postgres";
import { onTestFinished } from "vitest";
import { parse } from "yaml";
import { CLI_ENTRY } from "../cli/cli-entry.ts";
import { type RunningProcess, startProcess } from "../processes/child-process.ts";
import { programOf } from "../processes/peer-programs.ts";
import { runProgram } from "../processes/run-program.ts";
import { temporaryDirectory } from "../processes/temporary-directory.ts";
import { NGINX_DIRECTIVES } from "./nginx-directives.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..");

/** What of a service in compose.yaml the tests read. */
export interface ComposeService {
  readonly image: string;
  readonly build?: unknown;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly profiles?: readonly string[];
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly networks?: readonly string[];
  readonly secrets?: readonly string[];
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
}

export interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean }>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
}

export const COMPOSE_FILE = join(ROOT, "docker", "compose.yaml");

export function readCompose(): ComposeFile {
  return parse(readFileSync(COMPOSE_FILE, "utf8"), { merge: true }) as ComposeFile;
}

/** What the image sets: `NAME=value` lines of its ENV. */
function imageEnvironment(): Readonly<Record<string, string>> {
  const text = readFileSync(join(ROOT, "docker", "Dockerfile"), "utf8");
  return Object.fromEntries(
    [...text.matchAll(/\b(SVC_[A-Z_]+)=(\S+)/g)].map(([, name, value]) => [name, value]),
  );
}

/** Where the image keeps the program of each name. */
const PROGRAMS: Readonly<Record<string, string>> = {
  "svc-server": "server",
  "svc-checkgw": "checkgw",
  "svc-extproc": "extproc",
  "svc-mcp-proxy": "mcp-proxy",
};

/** Where a program of the image listens for its callers. */
const LISTENERS: Readonly<Record<string, number>> = {
  "svc-server": 8080,
  "svc-checkgw": 9004,
  "svc-extproc": 9002,
  "svc-mcp-proxy": 9003,
};

const EXEC = /^docker compose -f docker\/compose\.yaml exec -T (\S+) \\\n +svc-cli(?= )/;

interface ServiceProcess {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly port: number;
}

/**
 * The services of compose.yaml as processes of this machine, each with an address of its own on loopback.
 * Names of services, listen addresses and folders are replaced, and nothing else. No network separates
 * one service from another.
 */
export class ComposeStage {
  /** A copy of the folders that compose.yaml mounts; commands of a page run in it. */
  readonly folder: string;
  readonly #compose = readCompose();
  readonly #names = Object.keys(this.#compose.services);
  readonly #subnet = `127.${String(randomInt(64, 120))}.${String(randomInt(1, 255))}`;
  readonly #running = new Map<string, RunningProcess>();

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async make(): Promise<ComposeStage> {
    const folder = await temporaryDirectory();
    for (const name of ["docker", "envoy", "policies"])
      cpSync(join(ROOT, name), join(folder, name), {
        recursive: true,
        filter: (path) => !path.endsWith("/docker/secrets"),
      });
    return new ComposeStage(folder);
  }

  addressOf(service: string): string {
    return `${this.#subnet}.${String(this.#names.indexOf(service) + 1)}`;
  }

  output(service: string): string {
    return this.#running.get(service)?.output() ?? "";
  }

  /** Starts what `docker compose up` would: the services without a profile, and those of the given one. */
  async up(profile?: string): Promise<void> {
    for (const [name, service] of Object.entries(this.#compose.services)) {
      const chosen = service.profiles === undefined || service.profiles.includes(profile ?? "");
      if (chosen && !this.#running.has(name)) await this.#start(name, service);
    }
  }

  async kill(service: string): Promise<void> {
    await this.#running.get(service)?.stop("SIGKILL");
  }

  /** Runs a command of a page in the folder. Published ports lead to the service that publishes them. */
  async run(command: string): Promise<string> {
    const published = Object.entries(this.#compose.services).flatMap(([name, { ports = [] }]) =>
      ports.map((text) => {
        const [, from = "", to = ""] = text.split(":");
        return `--connect-to :${from}:${this.addressOf(name)}:${to}`;
      }),
    );
    const here = this.#executed(command).replaceAll(/\bcurl /g, `curl ${published.join(" ")} `);
    const script = `set -eo pipefail; cd '${this.folder}'\n${here}`;
    const { exitCode, stdout, stderr } = await runProgram("bash", ["-c", script]);
    if (exitCode !== 0) throw new Error(`${command}\nexit code ${String(exitCode)}: ${stderr}${stdout}`);
    return stdout;
  }

  /** What runs in the container of a service runs here, at the address of that service. */
  #executed(command: string): string {
    const [whole = "", name = ""] = EXEC.exec(command) ?? [];
    if (whole === "") return command;
    const run = `'${process.execPath}' '${CLI_ENTRY}'`;
    return command.replace(whole, run).replace("127.0.0.1", this.addressOf(name));
  }

  async #start(name: string, service: ComposeService): Promise<void> {
    if (name === "postgres") return this.#startPostgres();
    const { command, args, env, port } = await this.#processOf(name, service);
    const ready = { port, host: this.addressOf(name) };
    const child = await startProcess(command, args, { env, cwd: this.folder, ready });
    this.#running.set(name, child);
    onTestFinished(async () => void (await child.stop("SIGKILL")));
  }

  async #startPostgres(): Promise<void> {
    // Its server listens on a socket, so its address is another one than that of make-secrets.sh.
    await writeFile(join(this.folder, "docker/secrets/database-url"), await freshDatabase());
  }

  async #processOf(name: string, service: ComposeService): Promise<ServiceProcess> {
    if (service.image.startsWith("nginx:")) {
      const file = await this.#mounted(name, service);
      const [, port = ""] = /listen [^:]+:(\d+)/.exec(readFileSync(file, "utf8")) ?? [];
      const args = ["-p", this.folder, "-c", file, "-g", NGINX_DIRECTIVES];
      return { command: programOf("nginx"), args, env: {}, port: Number(port) };
    }
    if (service.image.startsWith("envoyproxy/")) {
      const file = await this.#mounted(name, service);
      const args = ["--config-path", file, "--disable-hot-restart", "--concurrency", "1", "-l", "warn"];
      return { command: programOf("envoy"), args, env: { HOME: this.folder }, port: 8087 };
    }
    const [program = ""] = service.command ?? [];
    const given = { ...imageEnvironment(), ...service.environment };
    const entries = Object.entries(given).map(
      ([key, value]) => [key, this.#here(name, service, value)] as const,
    );
    const env = { ...Object.fromEntries(entries), SVC_DATA_DIR: join(this.folder, name) };
    const main = join(ROOT, "packages", PROGRAMS[program] ?? "", "dist", "main.js");
    const port = LISTENERS[program] ?? 0;
    return { command: process.execPath, args: [main], env, port };
  }

  /** The configuration file of a service, with the addresses and folders of this machine. */
  async #mounted(name: string, service: ComposeService): Promise<string> {
    const [source = ""] = (service.volumes?.[0] ?? "").split(":");
    const text = readFileSync(join(this.folder, "docker", source), "utf8");
    const file = join(this.folder, `${name}-${basename(source)}`);
    await writeFile(file, this.#here(name, service, text));
    return file;
  }

  #here(name: string, service: ComposeService, text: string): string {
    const own = this.addressOf(name);
    mkdirSync(join(this.folder, "tmp", name), { recursive: true });
    let here = text
      .replaceAll(/(?<= )\/tmp\//g, `${join(this.folder, "tmp", name)}/`)
      .replaceAll("/run/secrets/", `${join(this.folder, "docker/secrets")}/`)
      .replaceAll("0.0.0.0", own)
      .replaceAll(/(?<=\blisten )(?=\d)/g, `${own}:`)
      .replaceAll(/(?<=address: )127\.0\.0\.1(?=, port_value: 9901)/g, own);
    for (const mount of service.volumes ?? []) {
      const [source = "", target = ""] = mount.split(":");
      if (source.startsWith(".")) here = here.replaceAll(target, join(this.folder, "docker", source));
    }
    for (const other of this.#names) {
      const named = new RegExp(`(?<=[\\s/@])${other}(?=:\\d)|(?<=address: )${other}(?=,)`, "g");
      here = here.replaceAll(named, this.addressOf(other));
    }
    return here;
  }
}
