import { describe, expect, it } from "vitest";
import { runCaptured } from "../testing/run-captured.ts";

const FULL = "http://ana:p4ss@h.example";

describe("a message of svc-cli", () => {
  // proves CLI-27
  it.each([
    [["status", "--url", FULL], {}],
    [["status", "--url", "ana:p4ss@h.example"], {}],
    [["status", "--url", "http://ana:p4ss/x#y@h.example"], {}],
    [["status"], { SVC_URL: FULL }],
    [["status", FULL], {}],
    [[FULL], {}],
    [["trigger", "approval.requested", "--to", FULL], {}],
    [["trigger", "approval.requested", "--to", "ana:p4ss x@h"], {}],
    [["listen", "--forward-to", "http://ana:p4ss/x@h"], {}],
    [["doctor", "--envoy", FULL], {}],
    [["init", "--mcp", FULL, "--dry-run"], {}],
    [["context", "add", "a", "--url", FULL], {}],
    [["status", `--ulr=${FULL}`], {}],
  ])("repeats no password of an address: %j %j", async (args, environment) => {
    const { exitCode, out, error } = await runCaptured(args, {
      environment: { XDG_CONFIG_HOME: "/none", ...environment },
    });
    expect([exitCode, out]).toEqual([2, ""]);
    expect(error).not.toContain("p4ss");
  });

  // proves CLI-14
  it.each([
    ["va\u001b[31mlidate"],
    ["kill", "a\u202eb", "x"],
    ["--\u001b]0;x\u0007"],
    ["test", "p.yaml", "--run", "\u001b[2J("],
  ])("shows control characters in letters: %j %j %j %j", async (...args) => {
    const { exitCode, error } = await runCaptured(args.filter((word) => word !== undefined));
    expect(exitCode).toBe(2);
    expect(error).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u);
  });
});
