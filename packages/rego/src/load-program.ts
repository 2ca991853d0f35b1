import { createHash, randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import description from "../reactor/reactor.json" with { type: "json" };
import { wasm } from "./thread/wasm.ts";

const unpack = promisify(brotliDecompress);

/** A file that this or another release keeps, or had begun to write. */
const KEPT_NAME = /^rego-[0-9a-f]{16}\.wasm(?:\.|$)/;

/** The release of Open Policy Agent that runs inside. */
export const OPA_VERSION = description.opa;

/**
 * Compiles the program that holds Open Policy Agent. Rejects when its bytes are not those of its digest.
 * @param folder where the unpacked program is kept, so that the next start does not unpack it; null: nowhere.
 * Where it cannot be read or written, the program is unpacked at each start
 */
export async function loadProgram(folder: string | null): Promise<WebAssembly.Module> {
  return wasm.compile(await readProgram(folder));
}

async function readProgram(folder: string | null): Promise<Uint8Array> {
  if (folder === null) return unpackProgram();
  const file = join(folder, `rego-${description.sha256.slice(0, 16)}.wasm`);
  const kept = await readKept(file);
  if (kept !== null) return kept;
  const program = await unpackProgram();
  // Only a cache: a folder that is full or read-only must not stop the program.
  await keep(folder, file, program).catch(() => undefined);
  return program;
}

/** Null: nobody has unpacked it, the file has other bytes by now, or it cannot be read. */
async function readKept(file: string): Promise<Uint8Array | null> {
  try {
    const program = await readFile(file);
    return digestOf(program) === description.sha256 ? program : null;
  } catch {
    // Only a cache: what runs is checked by its digest, wherever it comes from.
    return null;
  }
}

async function unpackProgram(): Promise<Uint8Array> {
  const packed = await readFile(packedUrl());
  const program = (await unpack(packed, { maxOutputLength: description.bytes })) as Buffer;
  if (digestOf(program) !== description.sha256) {
    throw new Error("the program that runs Rego is not the one that was built");
  }
  return program;
}

/** Whole or not at all: another process may read it meanwhile. */
async function keep(folder: string, file: string, program: Uint8Array): Promise<void> {
  await mkdir(folder, { recursive: true });
  const unfinished = `${file}.${randomUUID()}`;
  try {
    await writeFile(unfinished, program, { mode: 0o600 });
    await rename(unfinished, file);
  } finally {
    await rm(unfinished, { force: true });
  }
  await removeOthers(folder, basename(file));
}

/** Those of other releases. One that still runs has read its file, or unpacks it again. */
async function removeOthers(folder: string, kept: string): Promise<void> {
  const others = (await readdir(folder)).filter((name) => KEPT_NAME.test(name) && !name.startsWith(kept));
  await Promise.all(others.map((name) => rm(join(folder, name), { force: true })));
}

function digestOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Beside the sources of the program, or beside the bundle. */
function packedUrl(): URL {
  const isSource = import.meta.url.endsWith(".ts");
  return new URL(isSource ? "../reactor/reactor.wasm.br" : "./reactor.wasm.br", import.meta.url);
}
