// peers: python-client
// long: checks, tests and builds the Python client
import { createHash } from "node:crypto";
import { cp, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { missing } from "../support/processes/missing-peers.ts";
import { programOf } from "../support/processes/peer-programs.ts";
import { type ProgramResult, runProgram } from "../support/processes/run-program.ts";
import { temporaryDirectory } from "../support/processes/temporary-directory.ts";

/** Longest run of one tool in milliseconds, on a busy machine. */
const TIMEOUT_MS = 240_000;

const ROOT = join(import.meta.dirname, "..", "..");
const SOURCE = join(ROOT, "clients", "python");

/** The engine of the test kit, as the build made it. */
const KIT = join(ROOT, "packages", "test-kit", "dist", "policy-gateway.js");

/** What readers in every language must read alike. */
const VECTORS = join(ROOT, "packages", "contract", "vectors");

/** What a user finds after the installation: what the package says of itself, and that it denies. */
const LOOK = `
import hashlib, json, svc_client
from importlib import metadata, resources
about = metadata.metadata("svc-client")
try:
    svc_client.Client("http://127.0.0.1:1").execute("pay", {}, "agent-1")
except svc_client.SvcDenied as error:
    print(json.dumps({
        "version": svc_client.__version__,
        "requires": [each for each in metadata.requires("svc-client") if "; extra ==" not in each],
        "python": about["Requires-Python"],
        "readme": about["Description-Content-Type"],
        "typed": resources.files(svc_client).joinpath("py.typed").is_file(),
        "kit": hashlib.sha256(resources.files("svc_client.testing").joinpath("policy_gateway.js").read_bytes()).hexdigest(),
        "denied": error.reason_code,
    }))
`;

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
    expect(complaint(await python(await copyOfPackage(), "-m", "mypy", "src", "tests"))).toBe("");
  });

  it("has strict types for pyright, and no names that nothing uses", async () => {
    const pyright = join(programOf("python-client"), "pyright", "dist", "index.js");
    const cwd = await copyOfPackage();
    expect(complaint(await runProgram(process.execPath, [pyright], {}, { cwd }))).toBe("");
  });

  // proves LIB-01
  it("installs from its wheel into an empty environment, without a dependency", async () => {
    const source = await copyOfPackage();
    const folder = await temporaryDirectory();
    const interpreter = join(folder, "environment", "bin", "python");
    const pip = ["-m", "pip", "--quiet", "--disable-pip-version-check"];
    const built = ["wheel", "--no-build-isolation", "--no-deps", "--no-index", "-w", folder, "."];
    expect(complaint(await python(source, ...pip, ...built))).toBe("");
    expect(complaint(await python(folder, "-m", "venv", "--without-pip", "environment"))).toBe("");
    const wheels = (await readdir(folder)).filter((name) => name.endsWith(".whl"));
    expect(wheels).toEqual(["svc_client-0.1.0-py3-none-any.whl"]);
    const install = ["--python", interpreter, "install", "--no-index", ...wheels];
    expect(complaint(await python(folder, ...pip, ...install))).toBe("");
    const installed = await runProgram(interpreter, ["-I", "-c", LOOK], {}, { cwd: folder });
    expect(complaint(installed)).toBe("");
    expect(JSON.parse(installed.stdout)).toEqual({
      version: "0.1.0",
      requires: [],
      python: ">=3.10",
      readme: "text/markdown",
      typed: true,
      kit: createHash("sha256")
        .update(await readFile(KIT))
        .digest("hex"),
      denied: "gateway_unreachable",
    });
  });
});
