import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runCaptured } from "../testing/run-captured.ts";

let workingDirectory = "";
beforeAll(() => {
  workingDirectory = mkdtempSync(join(tmpdir(), "svc-numbers-"));
  writeFileSync(join(workingDirectory, "p.yaml"), "id: p\ntools: {allowed: [pay]}\n");
});
afterAll(() => rmSync(workingDirectory, { recursive: true }));

function test(file: string, text: string) {
  writeFileSync(join(workingDirectory, file), text);
  return runCaptured(["test", "p.yaml", "--mock", file], { workingDirectory });
}

const EXACT = "an integer within 2^53 - 1 (send larger ones as strings)";

// proves CLI-02
it.each([
  ["9007199254740993", EXACT],
  ["-9007199254740993", EXACT],
  ["-0.0", "0 without a sign"],
  ["-0", "0 without a sign"],
  ["1e400", "a finite number"],
])("refuses the argument %s, as a gateway does", async (number, expected) => {
  const said = `args.list.1: expected ${expected}, found ${number}\n`;
  const json = await test("c.json", `[{"tool": "pay", "args": {"list": [1, ${number}]}}]`);
  expect(json).toMatchObject({ exitCode: 2, out: "", error: `error: c.json:1:39: ${said}` });
  const yaml = await test("c.yaml", `- tool: pay\n  args:\n    list: [1, ${number}]\n`);
  expect(yaml).toMatchObject({ exitCode: 2, out: "", error: `error: c.yaml:3:15: ${said}` });
});

// proves CLI-02
it("takes the largest whole numbers and fractions", async () => {
  const args = '{"max": 9007199254740991, "min": -9007199254740991, "fraction": 0.1234567890123456}';
  const { exitCode, error } = await test("d.json", `[{"tool": "pay", "args": ${args}}]`);
  expect([exitCode, error]).toEqual([0, ""]);
});
