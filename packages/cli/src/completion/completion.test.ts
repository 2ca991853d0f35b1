import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { runCaptured } from "../testing/run-captured.ts";

const script = (await runCaptured(["completion", "bash"])).out;

/** What bash offers for the last word, as at a prompt. */
function offered(...words: readonly string[]): readonly string[] {
  const program = `${script}
COMP_WORDS=("$@")
COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
_svc_cli
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const out = execFileSync("bash", ["--norc", "-c", program, "bash", "svc-cli", ...words], {
    encoding: "utf8",
  });
  return out.split("\n").filter(Boolean);
}

describe("svc-cli completion bash", () => {
  // proves CLI-15
  it("offers commands, commands of a group, options and their values", () => {
    expect(offered("va")).toEqual(["validate"]);
    expect(offered("compliance", "")).toEqual([
      "audit-verify",
      "report",
      "certificate",
      "verify-certificate",
    ]);
    expect(offered("compliance", "audit-verify", "--data")).toEqual(["--data-dir", "--database-url"]);
    expect(offered("validate", "-o", "s")).toEqual(["sarif"]);
    expect(offered("validate", "--strict", "--col")).toEqual(["--color"]);
  });

  // proves CLI-15
  it("leaves files to the shell", () => {
    expect(offered("validate", "")).toEqual([]);
  });
});

describe("svc-cli completion", () => {
  it("has a script for each shell, and no other", async () => {
    for (const shell of ["bash", "zsh", "fish"]) {
      const { exitCode, out } = await runCaptured(["completion", shell]);
      expect(exitCode).toBe(0);
      expect(out).toContain("verify-certificate");
    }
    expect(await runCaptured(["completion", "tcsh"])).toMatchObject({ exitCode: 2, out: "" });
  });
});
