import { expect, it } from "vitest";
import { Cleanup } from "./cleanup.ts";

it("undoes last things first, and each once", async () => {
  const undone: string[] = [];
  const cleanup = new Cleanup();
  for (const name of ["folder", "server"]) {
    cleanup.defer(() => {
      undone.push(name);
      return Promise.resolve();
    });
  }
  await cleanup.run();
  await cleanup.run();
  expect(undone).toEqual(["server", "folder"]);
});

it("goes on behind a step that fails, and then tells", async () => {
  const undone: string[] = [];
  const cleanup = new Cleanup();
  cleanup.defer(() => {
    undone.push("folder");
    return Promise.resolve();
  });
  cleanup.defer(() => Promise.reject(new Error("no such process")));
  await expect(cleanup.run()).rejects.toThrow("not everything could be cleaned up");
  expect(undone).toEqual(["folder"]);
});
