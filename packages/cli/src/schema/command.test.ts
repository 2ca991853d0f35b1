import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { runCaptured } from "../testing/run-captured.ts";

const schema = (...args: readonly string[]) => runCaptured(["schema", ...args]);

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
