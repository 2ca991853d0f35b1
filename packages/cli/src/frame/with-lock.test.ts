import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { withLock } from "./with-lock.ts";

function temporaryFile(): { readonly folder: string; readonly path: string } {
  const folder = mkdtempSync(join(tmpdir(), "svc-lock-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return { folder, path: join(folder, "file") };
}

describe("withLock", () => {
  it("waits until the lock is released, and leaves nothing behind", async () => {
    const { folder, path } = temporaryFile();
    writeFileSync(`${path}.lock`, "of another");
    let isChanged = false;
    const changed = withLock(path, () => (isChanged = true));
    expect(isChanged).toBe(false);
    rmSync(`${path}.lock`);
    expect(await changed).toBe(true);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("takes the lock of a killed process", async () => {
    const { folder, path } = temporaryFile();
    writeFileSync(`${path}.lock`, "of another");
    const past = new Date(Date.now() - 60_000);
    utimesSync(`${path}.lock`, past, past);
    expect(await withLock(path, () => readFileSync(`${path}.lock`, "utf8"))).not.toBe("of another");
    expect(readdirSync(folder)).toEqual([]);
  });

  it("keeps the lock that another process took meanwhile", async () => {
    const { path } = temporaryFile();
    await withLock(path, () => writeFileSync(`${path}.lock`, "of another"));
    expect(readFileSync(`${path}.lock`, "utf8")).toBe("of another");
  });

  it("releases the lock when the change fails", async () => {
    const { folder, path } = temporaryFile();
    const failing = withLock(path, () => {
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(readdirSync(folder)).toEqual([]);
  });

  it("says that the folder is missing", async () => {
    const { folder } = temporaryFile();
    await expect(withLock(join(folder, "none", "file"), () => undefined)).rejects.toThrow(
      /none\/file\.lock cannot be written/,
    );
  });
});
