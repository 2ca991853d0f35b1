/** Gets the Python MCP clients and agent frameworks that the end-to-end tests start. */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root, toolsDir } from "./toolchain.mjs";

/** What pip puts into one folder below the tools. */
interface PythonFolder {
  readonly name: string;
  /** The file that names every package of it. */
  readonly pins: string;
}

/** Much of what pip printed would only hide the reason, in characters. */
const SHOWN_OUTPUT = 2_000;

/** Wheels alone: building is slow, and runs what a package brings. */
const FLAGS = ["--no-deps", "--only-binary", ":all:", "--no-compile"];

/** Folder name to the file of its pins, which hold everything that is installed. */
const PINS = { "python-agents": "agents.txt", "python-mcp-2": "sdk-2.txt" } as const;

/** Installs what is not there and can be had, all at once; says so when it cannot. */
export async function ensurePythonMcp(say: (line: string) => void): Promise<void> {
  const folders = Object.entries(PINS).map(([name, file]) => ({
    name,
    pins: join(root, "e2e", "mcp", "python", file),
  }));
  await Promise.all(folders.map((folder) => ensureFolder(folder, say)));
}

async function ensureFolder({ name, pins }: PythonFolder, say: (line: string) => void): Promise<void> {
  const folder = join(toolsDir, name);
  const mark = `pins-${createHash("sha256").update(readFileSync(pins)).digest("hex")}`;
  // A changed pin replaces the folder: the tests look for it by name alone.
  if (existsSync(join(folder, mark))) return;
  say(`${name}: installing ...`);
  const unfinished = `${folder}.${String(process.pid)}`;
  const problem = await pip("install", "--quiet", "--target", unfinished, ...FLAGS, "-r", pins);
  if (problem === null) {
    writeFileSync(join(unfinished, mark), "");
    rmSync(folder, { recursive: true, force: true });
    renameSync(unfinished, folder);
  }
  rmSync(unfinished, { recursive: true, force: true });
  say(problem === null ? `${name}: ready` : `${name}: not installed, its tests cannot run: ${problem}`);
}

/** @returns what went wrong, or null. */
function pip(...args: string[]): Promise<string | null> {
  const child = spawn("python3", ["-m", "pip", ...args], { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      output += String(chunk);
    });
  }
  return new Promise((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("close", (code) => resolve(code === 0 ? null : output.slice(-SHOWN_OUTPUT)));
  });
}
