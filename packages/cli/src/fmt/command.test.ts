import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runCaptured } from "../testing/run-captured.ts";

const UGLY = "tools: {allowed: [a]}   # all\nid:   p\n";
const CANONICAL = "id: p\ntools: { allowed: [ a ] } # all\n";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "svc-fmt-"));
  writeFileSync(join(folder, "ugly.yaml"), UGLY);
  writeFileSync(join(folder, "good.yaml"), CANONICAL);
});
afterEach(() => rmSync(folder, { recursive: true }));

const fmt = (args: readonly string[], stdin = "") =>
  runCaptured(["fmt", ...args], { workingDirectory: folder, stdin });
const textOf = (name: string) => readFileSync(join(folder, name), "utf8");

describe("svc-cli fmt", () => {
  // proves CLI-22
  it("writes the canonical form into the file, and says which files it changed", async () => {
    chmodSync(join(folder, "ugly.yaml"), 0o640);
    expect(await fmt(["."])).toEqual({ exitCode: 0, out: "ugly.yaml: was formatted\n", error: "" });
    expect([textOf("ugly.yaml"), textOf("good.yaml")]).toEqual([CANONICAL, CANONICAL]);
    expect(statSync(join(folder, "ugly.yaml")).mode & 0o777).toBe(0o640);
    expect(readdirSync(folder).toSorted()).toEqual(["good.yaml", "ugly.yaml"]);
    expect(await fmt(["."])).toEqual({ exitCode: 0, out: "", error: "" });
  });

  // proves CLI-22
  it("--check changes nothing and fails", async () => {
    expect(await fmt([".", "--check"])).toEqual({
      exitCode: 1,
      out: "ugly.yaml: has another form\n",
      error: "",
    });
    expect(textOf("ugly.yaml")).toBe(UGLY);
    expect(await fmt(["good.yaml", "--check"])).toMatchObject({ exitCode: 0, out: "" });
    expect(await fmt(["-", "--check"], UGLY)).toMatchObject({
      exitCode: 1,
      out: "stdin: has another form\n",
    });
  });

  it("formats stdin to stdout", async () => {
    expect(await fmt(["-"], UGLY)).toEqual({ exitCode: 0, out: CANONICAL, error: "" });
    expect(await fmt(["-", "good.yaml"], UGLY)).toMatchObject({ exitCode: 2, out: "" });
  });

  it("writes no file when one of them is not YAML", async () => {
    writeFileSync(join(folder, "wrong.yaml"), "id: [");
    expect(await fmt(["ugly.yaml", "wrong.yaml"])).toMatchObject({ exitCode: 1, out: "" });
    expect(textOf("ugly.yaml")).toBe(UGLY);
  });
});
