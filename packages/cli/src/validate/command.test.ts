import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
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
      file: "doubtful.yaml",
      valid: true,
      diagnostics: [
        {
          code: "policy/allow-without-effect",
          line: 4,
          witness: { call: { tool: "pay" }, decision: "allow" },
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
      error: expect.stringContaining("broken.json:1:12: not strict JSON"),
    });
  });

  it("says which file it cannot read", async () => {
    expect(await validate(["nothing.yaml"])).toMatchObject({
      exitCode: 2,
      error: expect.stringContaining("nothing.yaml: expected a policy file in UTF-8"),
    });
    expect(await validate(["latin1.yaml"])).toMatchObject({ exitCode: 2 });
    expect(await validate([])).toMatchObject({ exitCode: 2 });
  });
});
