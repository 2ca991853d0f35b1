import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { runCli } from "../run-cli.ts";
import type { Terminal } from "../terminal.ts";

async function schema(...args: readonly string[]) {
  let out = "";
  let error = "";
  const terminal: Terminal = {
    environment: {},
    workingDirectory: "/",
    stdin: nothing(),
    writeOut: (text) => (out += text),
    writeError: (text) => (error += text),
    errorIsTerminal: false,
  };
  return { exitCode: await runCli(["schema", ...args], terminal), out, error };
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

describe("svc-cli schema", () => {
  // proves POL-87
  it("prints the schema that stands beside the policies", async () => {
    const file = readFileSync(new URL("../../../../policies/policy.schema.json", import.meta.url), "utf8");
    expect(await schema()).toEqual({ exitCode: 0, out: file, error: "" });
  });

  it("takes no argument", async () => {
    expect(await schema("policy.yaml")).toMatchObject({ exitCode: 2, out: "" });
  });

  it("says how an editor finds it", async () => {
    const { exitCode, out } = await schema("--help");
    expect(exitCode).toBe(0);
    expect(out).toContain("# yaml-language-server: $schema=policy.schema.json");
  });
});
