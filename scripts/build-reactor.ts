/**
 * Builds the program of packages/rego that runs Rego modules, and packs it. With `--check` it changes nothing
 * and fails when the sources give other bytes than the packed program holds.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { limitMemory } from "./limit-memory.ts";
import { runCommand } from "./peers/run-command.ts";
import {
  DESCRIPTION,
  digestOf,
  PACKED,
  REACTOR_FOLDER,
  type ReactorDescription,
  readDescription,
  sourcesDigest,
} from "./reactor-files.ts";
import { programLicences } from "./reactor-licences.ts";

/** Longest build, in milliseconds. Two busy cores need half of it. */
const BUILD_TIMEOUT_MS = 20 * 60_000;

/** Most memory of an instance, in pages of 64 KiB: 256 MiB. */
const MEMORY_PAGES = 4_096;

const env = { ...process.env, GOOS: "wasip1", GOARCH: "wasm", GOTOOLCHAIN: "local", GOFLAGS: "" };

async function build(): Promise<Uint8Array> {
  const made = mkdtempSync(join(tmpdir(), "svc-reactor-"));
  try {
    const file = join(made, "reactor.wasm");
    const flags = ["-buildmode=c-shared", "-buildvcs=false", "-trimpath", "-ldflags=-s -w"];
    await runCommand("go", ["build", ...flags, "-o", file, "."], {
      cwd: REACTOR_FOLDER,
      env,
      timeoutMs: BUILD_TIMEOUT_MS,
    });
    return limitMemory(readFileSync(file), MEMORY_PAGES);
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

async function describe(program: Uint8Array): Promise<ReactorDescription> {
  const module = /^require github\.com\/open-policy-agent\/opa v(\S+)$/m;
  const opa = module.exec(readFileSync(join(REACTOR_FOLDER, "go.mod"), "utf8"))?.[1];
  if (opa === undefined) throw new Error("go.mod does not require github.com/open-policy-agent/opa");
  const go = (await runCommand("go", ["env", "GOVERSION"])).trim();
  return { opa, go, sources: sourcesDigest(), sha256: digestOf(program), bytes: program.length };
}

const program = await build();
const description = await describe(program);
if (process.argv.includes("--check")) {
  const packed = readDescription();
  if (packed.sha256 !== description.sha256) {
    process.stderr.write(
      `${packed.go} made ${packed.sha256}, ${description.go} makes ${description.sha256}: ` +
        "run node scripts/build-reactor.ts with the first, and commit what it writes\n",
    );
    process.exitCode = 1;
  }
} else {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 };
  writeFileSync(PACKED, brotliCompressSync(program, { params }));
  writeFileSync(join(REACTOR_FOLDER, "LICENCES"), await programLicences(REACTOR_FOLDER, env));
  writeFileSync(DESCRIPTION, `${JSON.stringify(description, null, 2)}\n`);
}
