// long: it compiles Open Policy Agent
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { loadProgram } from "./load-program.ts";
import { wasm } from "./thread/wasm.ts";

async function importsOf(folder: string): Promise<number> {
  return wasm.Module.imports(await loadProgram(folder)).length;
}

it("needs no folder that can be used: the kept program is only a cache", async () => {
  const parent = await mkdtemp(join(tmpdir(), "svc-rego-"));
  onTestFinished(() => rm(parent, { recursive: true }));
  const folder = join(parent, "data");
  await writeFile(folder, "a file where the folder would be");
  expect(await importsOf(folder)).toBeGreaterThan(0);
  await rm(folder);
  expect(await importsOf(folder)).toBeGreaterThan(0);
  const [kept = ""] = await readdir(folder);
  await rm(join(folder, kept));
  await mkdir(join(folder, kept, "full"), { recursive: true });
  expect(await importsOf(folder)).toBeGreaterThan(0);
  expect(await readdir(folder)).toEqual([kept]);
});

it("removes what other releases kept or began, and nothing else", async () => {
  const folder = await mkdtemp(join(tmpdir(), "svc-rego-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const old = `rego-${"0".repeat(16)}.wasm`;
  const others = [old, `${old}.3f0c`, "rego-notes.txt", "data.sqlite"];
  await Promise.all(others.map((name) => writeFile(join(folder, name), "")));
  await loadProgram(folder);
  const kept = expect.stringMatching(/^rego-[0-9a-f]{16}\.wasm$/);
  expect((await readdir(folder)).toSorted()).toEqual(["data.sqlite", kept, "rego-notes.txt"]);
});
