import { describe, expect, it } from "vitest";
import { runCaptured } from "../testing/run-captured.ts";

const SECRET = "topsecretkey_1234";
const FIX = "stdin can be only one of them. Write the other one to a file";

describe("stdin for two things", () => {
  // proves CLI-27
  it.each([
    [
      ["approvals", "approve", "a", "--edit-args", "@-", "--api-key-stdin"],
      "--api-key-stdin and --edit-args",
    ],
    [["explain", "p.yaml", "-", "--api-key-stdin"], null],
    [["explain", "-", "-"], "<policy> - and <action> -"],
    [["deploy", "-", "--api-key-stdin"], "<policy> - and --api-key-stdin"],
    [["deploy", "a.yaml", "-", "--api-key-stdin"], "<policy> - and --api-key-stdin"],
    [["diff", "-", "-"], "<before> - and <after> -"],
    [["diff", "-", "--api-key-stdin"], "<before> - and --api-key-stdin"],
    [["validate", "-", "-"], "<path> - and <path> -"],
    [["channels", "put", "a", "--slack-file", "-", "--api-key-stdin"], "--api-key-stdin and --slack-file"],
    [["compliance", "audit-verify", "--file", "-", "--api-key-stdin"], "--file and --api-key-stdin"],
  ])("is refused before it is read: %j", async (args, uses) => {
    const { exitCode, out, error } = await runCaptured(args, { stdin: SECRET });
    expect([exitCode, out]).toEqual([2, ""]);
    if (uses !== null) expect(error).toContain(FIX);
    expect(error).not.toContain(SECRET.slice(0, 6));
    expect(error.split("\n")).toHaveLength(2);
  });

  it("is not counted where - is a name", async () => {
    const { error } = await runCaptured(["kill", "agent", "-", "--api-key-stdin"], { stdin: "" });
    expect(error).not.toContain(FIX);
  });
});
