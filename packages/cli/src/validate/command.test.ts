import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MAX_POLICY_BYTES } from "@svc/contract/limits";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCaptured } from "../testing/run-captured.ts";

const GOOD = "id: p\ntools: {allowed: [mail.*]}\n";
const DOUBTFUL = `id: p
tools: {allowed: [pay]}
rules:
  - {id: small, match: {tool: pay, condition: {field: args.amount, operator: "<=", value: 5}}, action: allow}
`;

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "svc-validate-"));
  const write = (name: string, text: string | Uint8Array) => writeFileSync(join(folder, name), text);
  write("good.yaml", GOOD);
  write("doubtful.yaml", DOUBTFUL);
  write("broken.yaml", "id: p\nsesion: {}\n");
  write("good.json", '{"id": "p", "tools": {"allowed": ["a"]}}');
  write("broken.json", '{"id": "p",}');
  write("latin1.yaml", Uint8Array.of(0x69, 0x64, 0x3a, 0xe4));
  mkdirSync(join(folder, "folder", "deep"), { recursive: true });
  mkdirSync(join(folder, "empty"));
  write("folder/a.yml", GOOD);
  write("folder/deep/b.yaml", "id: p\nsesion: {}\n");
  write("folder/deep/b.test.yaml", "not a policy");
  write("folder/.hidden.yaml", "not a policy");
  write("large.yaml", `id: p\nname: ${"x".repeat(MAX_POLICY_BYTES)}`);
});
afterAll(() => rmSync(folder, { recursive: true }));

const validate = (args: readonly string[], stdin = "") =>
  runCaptured(["validate", ...args], { workingDirectory: folder, stdin });

describe("svc-cli validate", () => {
  // proves CLI-01
  it("accepts a policy, in YAML, JSON and from stdin", async () => {
    expect(await validate(["good.yaml"])).toEqual({
      exitCode: 0,
      out: "good.yaml: valid, no findings\n",
      error: "",
    });
    expect(await validate(["good.json"])).toMatchObject({ exitCode: 0 });
    expect(await validate(["-"], GOOD)).toMatchObject({ exitCode: 0, out: "stdin: valid, no findings\n" });
  });

  // proves CLI-01
  it("shows a warning with its place, its call and its fix", async () => {
    const { exitCode, out } = await validate(["doubtful.yaml"]);
    expect(exitCode).toBe(0);
    expect(out).toContain("doubtful.yaml:4:10: warning: small allows some calls");
    expect(out).toContain("    |          ^\n");
    expect(out).toContain('  witness:  pay {"amount":6} -> allow\n');
    expect(out.trimEnd().split("\n").at(-1)).toBe("doubtful.yaml: valid, 1 warning");
    expect(await validate(["doubtful.yaml", "--strict"])).toMatchObject({ exitCode: 1, out });
  });

  // proves CLI-01
  it("prints the findings as JSON", async () => {
    const { exitCode, out } = await validate(["doubtful.yaml", "-o", "json"]);
    expect(exitCode).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      schema: "svc.cli.validate/v1",
      files: [
        {
          file: "doubtful.yaml",
          valid: true,
          diagnostics: [
            {
              code: "policy/allow-without-effect",
              line: 4,
              witness: { call: { tool: "pay" }, decision: "allow" },
            },
          ],
        },
      ],
    });
  });

  // proves CLI-01
  it("refuses a document that a server refuses", async () => {
    expect(await validate(["broken.yaml"])).toMatchObject({
      exitCode: 1,
      out: expect.stringContaining("broken.yaml:2:1: error: unknown key"),
    });
    expect(await validate(["large.yaml"])).toMatchObject({
      exitCode: 1,
      out: expect.stringContaining("[policy/too-large]"),
    });
    expect(await validate(["broken.json"])).toMatchObject({
      exitCode: 1,
      out: expect.stringContaining("broken.json:1:12: error: the document is not strict JSON"),
    });
  });

  // proves CLI-01
  it("reads several files and folders, in the order of their names", async () => {
    const { exitCode, out } = await validate(["folder", "good.json", "-o", "ndjson"]);
    expect(exitCode).toBe(1);
    const files = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { file: string; valid: boolean });
    expect(files.map(({ file, valid }) => [file, valid])).toEqual([
      ["folder/a.yml", true],
      ["folder/deep/b.yaml", false],
      ["good.json", true],
    ]);
    expect(await validate(["empty"])).toMatchObject({
      exitCode: 2,
      error: "error: empty: expected policy files (.yaml, .yml) below it, found none\n",
    });
  });

  // proves CLI-16
  it("marks a file as failed exactly when the command fails", async () => {
    expect((await validate(["doubtful.yaml", "-o", "tap"])).out).toContain("\nok 1 - doubtful.yaml");
    const strict = await validate(["doubtful.yaml", "-o", "tap", "--strict"]);
    expect(strict).toMatchObject({ exitCode: 1 });
    expect(strict.out).toContain("\nnot ok 1 - doubtful.yaml");
  });

  it("says which file it cannot read", async () => {
    expect(await validate(["nothing.yaml"])).toMatchObject({
      exitCode: 2,
      error: expect.stringContaining("nothing.yaml: expected a policy file or a folder"),
    });
    expect(await validate(["latin1.yaml"])).toMatchObject({ exitCode: 2 });
    expect(await validate([])).toMatchObject({ exitCode: 2 });
  });
});
