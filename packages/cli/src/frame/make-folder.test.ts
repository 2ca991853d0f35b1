import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { makeFolder } from "./files.ts";

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "svc-make-folder-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

it("makes what is missing for its user alone, and leaves what is there", () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "a"), { mode: 0o755 });
  makeFolder(join(folder, "a", "b", "c"));
  makeFolder(join(folder, "a", "b", "c"));
  const modes = ["a", "a/b", "a/b/c"].map((path) => (statSync(join(folder, path)).mode & 0o777).toString(8));
  expect(modes).toEqual(["755", "700", "700"]);
});

// skip: only Linux has /proc
it.skipIf(process.platform !== "linux")("ends where no folder can be made", () => {
  expect(() => makeFolder("/proc/svc-none/a")).toThrow(/ENOENT/);
});

it("says that a file is in the way", () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "file"), "");
  expect(() => makeFolder(join(folder, "file", "a"))).toThrow(/ENOTDIR/);
});
