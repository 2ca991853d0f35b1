// peers: python-client
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { missing } from "../support/missing-peers.ts";
import { programOf } from "../support/peer-programs.ts";
import { type ProgramResult, runProgram } from "../support/run-program.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

/** Longest run of one tool in milliseconds, on a busy machine. */
const TIMEOUT_MS = 240_000;

const ROOT = join(import.meta.dirname, "..", "..");
const SOURCE = join(ROOT, "clients", "python");

/** What readers in every language must read alike. */
const VECTORS = join(ROOT, "packages", "contract", "vectors");

/** The package in a folder that goes with the test: tools and builds leave files. */
async function copyOfPackage(): Promise<string> {
  const folder = await temporaryDirectory();
  await cp(SOURCE, folder, { recursive: true, filter: (path) => !path.includes("__pycache__") });
  return folder;
}

function python(cwd: string, ...args: readonly string[]): Promise<ProgramResult> {
  const folders = { PYTHONPATH: programOf("python-client"), SVC_VECTORS: VECTORS };
  const env = { ...folders, PYTHONDONTWRITEBYTECODE: "1" };
  return runProgram("python3", args, env, { cwd });
}

/** Nothing when it passed; else what it printed. */
function complaint({ exitCode, stdout, stderr }: ProgramResult): string {
  return exitCode === 0 ? "" : `${stdout}\n${stderr}`;
}

// skip: the peer is not installed; continuous integration has it and fails without.
describe.skipIf(missing["python-client"])("the Python client", { timeout: TIMEOUT_MS }, () => {
  // proves LIB-01, LIB-02, LIB-05, LIB-06, LIB-08
  it("passes its own tests, with every fault of the shared suite", async () => {
    expect(complaint(await python(await copyOfPackage(), "-m", "pytest"))).toBe("");
  });

  it("has strict types for mypy", async () => {
    expect(complaint(await python(await copyOfPackage(), "-m", "mypy", "src"))).toBe("");
  });

  it("has strict types for pyright", async () => {
    const pyright = join(programOf("python-client"), "pyright", "dist", "index.js");
    const cwd = await copyOfPackage();
    expect(complaint(await runProgram(process.execPath, [pyright, "src"], {}, { cwd }))).toBe("");
  });
});
