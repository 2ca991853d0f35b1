import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readKeyFile, readSecretFile } from "./read-key.ts";

let folder = "";
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "svc-key-"))));
afterEach(() => rmSync(folder, { recursive: true }));

function keyOfMode(mode: number): string {
  const path = join(folder, "key");
  writeFileSync(path, "svc_key\n");
  chmodSync(path, mode);
  return path;
}

describe("the file of a key", () => {
  // proves CLI-27
  it.each([0o600, 0o400, 0o700])("may have mode %o", (mode) => {
    expect(readKeyFile(keyOfMode(mode))).toBe("svc_key");
    expect(readSecretFile(keyOfMode(mode))).toBe("svc_key\n");
  });

  // proves CLI-27
  it.each([0o644, 0o640, 0o604, 0o660, 0o622])("of this user may not have mode %o", (mode) => {
    const why = `its mode is ${mode.toString(8)}: run chmod 600 on it`;
    expect(() => readKeyFile(keyOfMode(mode))).toThrow(why);
    expect(() => readSecretFile(keyOfMode(mode))).toThrow(why);
  });

  it.each([0o444, 0o440])("that a variable names may have mode %o, which mounted secrets have", (mode) => {
    expect(readSecretFile(keyOfMode(mode))).toBe("svc_key\n");
    expect(() => readKeyFile(keyOfMode(mode))).toThrow("its mode is");
  });

  // skip: root alone may give a file away
  it.skipIf(process.getuid?.() !== 0).each([
    [0o644, true],
    [0o640, true],
    [0o664, false],
    [0o646, false],
  ])("of another user, named by a variable, with mode %o: %j", (mode, isTaken) => {
    const path = keyOfMode(mode);
    chownSync(path, 12_345, 12_345);
    const read = (): string => readSecretFile(path);
    if (isTaken) expect(read()).toBe("svc_key\n");
    else expect(read).toThrow("its mode is");
  });

  it("may not be a pipe, which would be waited for", () => {
    const path = join(folder, "pipe");
    execFileSync("mkfifo", ["-m", "600", path]);
    expect(() => readKeyFile(path)).toThrow(
      `${path}: expected a file of mode 600 with an API key: it is a pipe`,
    );
    expect(() => readSecretFile(path)).toThrow("it is a pipe or a device, and not a file");
  });

  it("may not be long", () => {
    const path = keyOfMode(0o600);
    writeFileSync(path, "x".repeat(5_000));
    expect(() => readKeyFile(path)).toThrow("more than 4096 bytes");
  });
});
