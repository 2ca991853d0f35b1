import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { takePlace } from "./file-places.ts";

/** No process has this id. */
const NOBODY = 2 ** 30;

/** Places that other processes have taken. */
function places(...owners: readonly number[]): string {
  const folder = mkdtempSync(join(tmpdir(), "svc-places-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [at, owner] of owners.entries())
    writeFileSync(join(folder, `place-${String(at)}`), String(owner));
  return folder;
}

test("a file takes a free place, and gives it back", async () => {
  const folder = places(process.ppid);
  const give = await takePlace(folder, 2);
  expect(readdirSync(folder)).toEqual(["place-0", "place-1"]);
  give();
  expect(readdirSync(folder)).toEqual(["place-0"]);
});

test("a file waits while others have all places, and runs in the end", async () => {
  const folder = places(process.ppid);
  const started = takePlace(folder, 1);
  await expect(Promise.race([started, takePlace(folder, 1, 1)])).resolves.toBeTypeOf("function");
  expect(readdirSync(folder)).toEqual(["place-0"]);
  rmSync(join(folder, "place-0"));
  (await started)();
  expect(readdirSync(folder)).toEqual([]);
});

test("a place of a process that has ended is free, and so is one that this process forgot", async () => {
  const folder = places(NOBODY, process.ppid);
  await takePlace(folder, 2);
  const give = await takePlace(folder, 2);
  expect(readdirSync(folder)).toEqual(["place-0", "place-1"]);
  give();
  expect(readdirSync(folder)).toEqual(["place-1"]);
});
