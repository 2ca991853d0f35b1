// peers: buildah, debian-root
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type RunningProcess, type StartOptions, startProcess } from "../processes/child-process.ts";
import { programOf } from "../processes/peer-programs.ts";
import { type ProgramResult, runProgram } from "../processes/run-program.ts";
import { makeTemporaryDirectory } from "../processes/temporary-directory.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..");
const SCRIPT = join(ROOT, "e2e", "shipping", "build-image.sh");

/** Milliseconds for a build: it installs the packages of the workspace from their registry. */
const BUILD_WITHIN_MS = 240_000;

/** Variables by which this machine reaches its package registry. */
const REGISTRY_VARIABLES = ["NODE_EXTRA_CA_CERTS", "npm_config_registry"];

/** What of the configuration of an image the tests read. */
export interface ImageConfiguration {
  readonly User: string;
  readonly Env: readonly string[];
  readonly Cmd: readonly string[];
  readonly Entrypoint?: readonly string[] | null;
  readonly Healthcheck: { readonly Test: readonly string[] };
  readonly Volumes: Readonly<Record<string, unknown>>;
  readonly ExposedPorts: Readonly<Record<string, unknown>>;
}

/** The built image, whose tree is read-only but for its data directory and /tmp. */
export interface ContainerImage {
  readonly config: ImageConfiguration;
  /** Lists the files that the builder got, as paths from the root, with their bytes. */
  context(): Promise<ReadonlyMap<string, number>>;
  /** Starts a command as a container would: user, variables and folder of the image, no capability. */
  start(command: readonly string[], options: StartOptions): Promise<RunningProcess>;
  /** The same, to its end. */
  run(command: readonly string[], env?: Readonly<Record<string, string>>): Promise<ProgramResult>;
  stop(): Promise<unknown>;
}

/** Builds docker/Dockerfile with the context that .dockerignore leaves. @throws with the output */
export async function buildImage(): Promise<ContainerImage> {
  const archive = programOf("debian-root");
  const npm = join(execFileSync("npm", ["root", "--global"], { encoding: "utf8" }).trim(), "npm");
  const known = REGISTRY_VARIABLES.map((name) => [name, process.env[name] ?? ""] as const);
  const store = await makeTemporaryDirectory();
  const build = await startProcess(
    "unshare",
    ["--mount", "bash", SCRIPT, ROOT, store.path, archive, process.execPath, npm],
    {
      env: Object.fromEntries(known.filter(([, value]) => value !== "")),
      ready: { line: /^tree / },
      startWithinMs: BUILD_WITHIN_MS,
    },
  );
  const { Docker } = JSON.parse(valueOf("image", build)) as {
    readonly Docker: { readonly config: ImageConfiguration };
  };
  const { config } = Docker;
  const [user = "", group = ""] = config.User.split(":");
  const inside = (command: readonly string[], env: Readonly<Record<string, string>> = {}): string[] => [
    `--target=${String(build.pid)}`,
    "--mount",
    "chroot",
    valueOf("tree", build),
    "setpriv",
    `--reuid=${user}`,
    `--regid=${group}`,
    "--clear-groups",
    "--no-new-privs",
    "--bounding-set=-all",
    "--inh-caps=-all",
    "env",
    "--ignore-environment",
    "--chdir=/var/lib/svc",
    ...config.Env,
    ...Object.entries(env).map(([name, value]) => `${name}=${value}`),
    ...command,
  ];
  return {
    config,
    start: (command, { env, ...options }) => startProcess("nsenter", inside(command, env), options),
    context: async () => {
      const list = ["find", valueOf("context", build), "-type", "f", "-printf", "%s %P\\n"];
      const { stdout } = await runProgram("nsenter", [`--target=${String(build.pid)}`, "--mount", ...list]);
      const lines = stdout.split("\n").filter(Boolean);
      return new Map(lines.map((line) => [line.slice(line.indexOf(" ") + 1), Number.parseInt(line, 10)]));
    },
    run: (command, env) => runProgram("nsenter", inside(command, env)),
    stop: async () => {
      await build.stop("SIGKILL");
      await store.remove();
    },
  };
}

function valueOf(name: string, { lines }: RunningProcess): string {
  const line = lines.find((candidate) => candidate.startsWith(`${name} `));
  if (line === undefined) throw new Error(`expected a line that begins with ${name}, found none`);
  return line.slice(name.length + 1);
}

/** The version of Node that the base image names. */
export function nodeVersionOfImage(): string | undefined {
  const text = readFileSync(join(ROOT, "docker", "Dockerfile"), "utf8");
  return /^FROM node:([0-9.]+)-/m.exec(text)?.[1];
}
