import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { removeAdminKey, writeAdminKey } from "./admin-key-file.ts";

async function directory(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "svc-admin-key-"));
  onTestFinished(() => rm(path, { recursive: true }));
  return path;
}

// proves AUTH-03
it("keeps the key in a file that only its owner can read, also over one that a crash left", async () => {
  const dataDir = await directory();
  await writeAdminKey(dataDir, "svc_old_x");
  const path = await writeAdminKey(dataDir, "svc_id_secret");
  expect(path).toBe(join(dataDir, "admin-key"));
  expect(await readFile(path, "utf8")).toBe("svc_id_secret\n");
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

it("is gone once the key opens nothing, and need not be there", async () => {
  const dataDir = await directory();
  const path = await writeAdminKey(dataDir, "svc_id_secret");
  await removeAdminKey(dataDir);
  await removeAdminKey(dataDir);
  await expect(stat(path)).rejects.toThrow("ENOENT");
});
