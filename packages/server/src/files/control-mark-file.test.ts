import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { recordingLogger } from "@svc/process/testing/recording-logger";
import { expect, it, onTestFinished } from "vitest";
import { ControlMarkFile } from "./control-mark-file.ts";

async function setUp() {
  const directory = await mkdtemp(join(tmpdir(), "svc-mark-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const path = join(directory, "control-mark.json");
  const due: (() => void)[] = [];
  const log = recordingLogger();
  const timers = {
    after: (_delayMs: number, run: () => void) => {
      due.push(run);
      return () => void due.splice(due.indexOf(run), 1);
    },
  };
  const open = (gatewayId = "gw-1", at = path) => ControlMarkFile.open({ path: at, gatewayId, timers, log });
  return { directory, path, open, due, log };
}

it("keeps the newest mark for the next run, in one write for a burst", async () => {
  const { directory, path, open, due } = await setUp();
  const marks = await open();
  expect(marks.known).toBeNull();
  for (let revision = 1; revision <= 100; revision += 1) marks.keep({ revision, digest: "d" });
  expect(due).toHaveLength(1);
  due.shift()?.();
  await expect.poll(async () => readFile(path, "utf8").catch(() => "")).toContain('"revision":100');
  marks.keep({ revision: 101, digest: null });
  await marks.close();
  expect(due).toEqual([]);
  expect((await open()).known).toEqual({ revision: 101, digest: null });
  expect(await readdir(directory)).toEqual(["control-mark.json"]);
});

it("counts for the gateway id that wrote it", async () => {
  const { open } = await setUp();
  const marks = await open();
  marks.keep({ revision: 7, digest: "d" });
  await marks.close();
  expect((await open("gw-2")).known).toBeNull();
});

it("refuses a file that says something else, and names it", async () => {
  const { path, open } = await setUp();
  for (const text of ["", "{}", '{"gateway_id":"gw-1","revision":"7","digest":"d"}', "[7]"]) {
    await writeFile(path, text);
    await expect(open()).rejects.toThrow(`${path}: expected the newest control change as JSON`);
  }
});

it("goes on while the file cannot be written, and says so once", async () => {
  const { directory, open, log } = await setUp();
  const marks = await open("gw-1", join(directory, "missing", "control-mark.json"));
  marks.keep({ revision: 1, digest: "d" });
  await marks.close();
  marks.keep({ revision: 2, digest: "d" });
  await marks.close();
  expect(log.messages).toHaveLength(1);
  expect(log.messages[0]).toContain("the newest control change could not be recorded");
});
