import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { PolicyFolder } from "./policy-folder.ts";

const NOTHING = { written: [], removed: [] };

function setUp() {
  const workingDirectory = mkdtempSync(join(tmpdir(), "svc-folder-"));
  onTestFinished(() => rmSync(workingDirectory, { recursive: true }));
  const at = (name: string): string => join(workingDirectory, name);
  const write = (name: string, text: string): void => writeFileSync(at(name), text);
  mkdirSync(at("p"));
  return { at, write, files: new PolicyFolder({ folder: "p", workingDirectory }) };
}

// proves CLI-71
it("takes every file at once, and then each that two looks found alike", () => {
  const { write, files } = setUp();
  write("p/a.yaml", "1");
  expect(files.look()).toEqual({ written: ["p/a.yaml"], removed: [] });
  expect(files.look()).toEqual(NOTHING);
  write("p/a.yaml", "half");
  expect(files.look()).toEqual(NOTHING);
  write("p/a.yaml", "half and the rest");
  expect(files.look()).toEqual(NOTHING);
  expect(files.look()).toEqual({ written: ["p/a.yaml"], removed: [] });
  expect(files.look()).toEqual(NOTHING);
});

// proves CLI-71
it("sees a file that another one replaces, and no removal between the two", () => {
  const { at, write, files } = setUp();
  write("p/a.yaml", "1");
  files.look();
  write("p/.a.yaml.swp", "2");
  write("p/a.yaml~", "1");
  rmSync(at("p/a.yaml"));
  expect(files.look()).toEqual(NOTHING);
  renameSync(at("p/.a.yaml.swp"), at("p/a.yaml"));
  utimesSync(at("p/a.yaml"), 1, 1);
  expect(files.look()).toEqual(NOTHING);
  expect(files.look()).toEqual({ written: ["p/a.yaml"], removed: [] });
});

// proves CLI-71
it("sees that the folder goes and comes back", () => {
  const { at, write, files } = setUp();
  write("p/a.yaml", "1");
  mkdirSync(at("p/sub"));
  write("p/sub/b.yml", "1");
  files.look();
  rmSync(at("p"), { recursive: true });
  expect(files.look()).toEqual(NOTHING);
  expect(files.look()).toEqual({ written: [], removed: ["p/a.yaml", "p/sub/b.yml"] });
  expect(files.look()).toEqual(NOTHING);
  mkdirSync(at("p"));
  write("p/a.yaml", "1");
  expect(files.look()).toEqual(NOTHING);
  expect(files.look()).toEqual({ written: ["p/a.yaml"], removed: [] });
});

it("takes the first file of a folder that is made later", () => {
  const { at, write, files } = setUp();
  rmSync(at("p"), { recursive: true });
  expect(files.look()).toEqual(NOTHING);
  mkdirSync(at("p"));
  write("p/a.yaml", "1");
  files.look();
  expect(files.look()).toEqual({ written: ["p/a.yaml"], removed: [] });
});
