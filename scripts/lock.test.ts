import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { withLock } from "./lock.mjs";

const NO_SUCH_PROCESS = 2 ** 30;

let folder = "";
let lock = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "lock-"));
  lock = join(folder, "lock");
});
afterEach(() => rmSync(folder, { recursive: true }));

test("two holders never work at the same time", async () => {
  const events: string[] = [];
  const hold = (name: string) =>
    withLock(
      lock,
      () => events.push(`${name} waits`),
      async () => {
        events.push(`${name} begins`);
        await sleep(20);
        events.push(`${name} ends`);
      },
    );
  await Promise.all([hold("a"), hold("b")]);
  expect(events).toEqual(["a begins", "b waits", "a ends", "b begins", "b ends"]);
});

test("the lock of a process that died is taken over", async () => {
  mkdirSync(lock);
  writeFileSync(join(lock, "pid"), String(NO_SUCH_PROCESS));
  expect(await withLock(lock, expect.unreachable, () => "done")).toBe("done");
});

test("the lock is released when the work throws", async () => {
  const work = () => {
    throw new Error("broken");
  };
  await expect(withLock(lock, expect.unreachable, work)).rejects.toThrow("broken");
  expect(existsSync(lock)).toBe(false);
});
