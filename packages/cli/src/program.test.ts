import { describe, expect, it } from "vitest";
import { everyCommand } from "./testing/every-command.ts";
import { runCaptured } from "./testing/run-captured.ts";

describe.each(everyCommand())("$path", ({ path, words, command }) => {
  // proves CLI-10
  it("has a help that begins with examples of itself", async () => {
    const { exitCode, out } = await runCaptured([...words, "--help"]);
    expect(exitCode).toBe(0);
    const [first, second] = out.split("\n");
    expect(first).toBe("Examples:");
    expect(second).toContain(path);
  });

  // proves CLI-11
  it("answers an unknown option with one line and exit code 2", async () => {
    const needed = command.options
      .filter(({ mandatory }) => mandatory)
      .flatMap(({ long }) => [long ?? "", "x"]);
    const { exitCode, out, error } = await runCaptured([...words, ...needed, "--hlep"]);
    expect([exitCode, out]).toEqual([2, ""]);
    expect(error.split("\n")).toEqual([
      `error: unknown option '--hlep', did you mean --help? See ${path} --help`,
      "",
    ]);
  });
});

describe("svc-cli", () => {
  // proves CLI-04
  it.each([
    ["validate"],
    ["test"],
    ["deploy"],
    ["rollback"],
    ["agents", "list", "show", "watch", "register", "reregister", "quarantine", "release"],
    ["guardrails", "list", "show", "put", "delete", "detectors", "test"],
    ["kill", "list"],
    ["unkill"],
    ["approvals", "list", "show", "watch", "approve", "deny"],
    ["governance", "status", "promote"],
    ["compliance", "audit-verify"],
  ])("has the command %s", (name, ...children) => {
    const paths = everyCommand().map(({ words }) => words.join(" "));
    expect(paths).toEqual(expect.arrayContaining([name, ...children.map((child) => `${name} ${child}`)]));
  });

  // proves CLI-10
  it("shows its help by groups when it is called alone", async () => {
    const { exitCode, out, error } = await runCaptured([], { inputIsTerminal: true });
    expect([exitCode, error]).toEqual([0, ""]);
    // A coding agent lets a call pass whose hook ends with 0.
    expect(await runCaptured([])).toEqual({ exitCode: 2, out: "", error: out });
    expect(out).toBe((await runCaptured(["--help"])).out);
    const groups = [
      "Write policies:",
      "Run policies:",
      "Operate:",
      "Evidence:",
      "Integrate:",
      "This program:",
    ];
    for (const group of groups) expect(out).toContain(`\n${group}\n`);
    expect(out).not.toContain("\nCommands:\n");
  });

  // proves CLI-10
  it("takes --json for -o json, and for ndjson where results come piece by piece", async () => {
    const [json, same] = [
      await runCaptured(["version", "--json"]),
      await runCaptured(["version", "-o", "json"]),
    ];
    expect(json).toEqual(same);
    expect(JSON.parse(json.out)).toMatchObject({ schema: expect.stringMatching(/^svc\.cli\./) });
    const stated = await runCaptured(["version", "--json", "-o", "yaml"]);
    expect(stated.out).toBe((await runCaptured(["version", "-o", "yaml"])).out);
  });

  // proves CLI-11
  it("suggests the nearest command", async () => {
    expect(await runCaptured(["valdate"])).toEqual({
      exitCode: 2,
      out: "",
      error: "error: unknown command 'valdate', did you mean validate? See svc-cli --help\n",
    });
    expect(await runCaptured(["compliance", "audit-verfy"])).toMatchObject({
      exitCode: 2,
      error:
        "error: unknown command 'audit-verfy', did you mean audit-verify? See svc-cli compliance --help\n",
    });
  });

  // proves CLI-11
  it.each([
    [["audit-verify"], "unknown command 'audit-verify', did you mean compliance audit-verify?"],
    [["promte"], "unknown command 'promte', did you mean governance promote?"],
    [["xyzzy"], "unknown command 'xyzzy'. See"],
    [["regster"], "unknown command 'regster', did you mean agents register?"],
    [["help", "deplyo"], "no command deplyo, did you mean deploy?"],
    [["help", "exit-code"], "no command exit-code, did you mean exit-codes?"],
    [["help", "audit-verify"], "no command audit-verify, did you mean compliance audit-verify?"],
    [["help", "compliance", "audit-verfy"], "no command audit-verfy, did you mean audit-verify?"],
    [["kill", "agnet", "x"], "global, did you mean agent?"],
    [["approvals", "list", "--status", "aproved"], ", did you mean approved?"],
    [["validate", "x", "-o", "jsn"], ", did you mean json?"],
    [["listen", "--events", "agent.anomaly,agent.registred"], ", did you mean agent.registered? See"],
    [["kill", "xyzzy"], "namespace, global. To stop an agent: svc-cli kill agent xyzzy. See"],
  ])("suggests what is near in %j", async (args, message) => {
    const { exitCode, out, error } = await runCaptured(args);
    expect([exitCode, out]).toEqual([2, ""]);
    expect(error).toContain(message);
    expect(error.split("\n")).toHaveLength(2);
  });
});

describe("svc-cli help", () => {
  // proves CLI-12
  it("prints the one table of exit codes", async () => {
    const { exitCode, out } = await runCaptured(["help", "exit-codes"]);
    expect(exitCode).toBe(0);
    const codes = [...out.matchAll(/^ *(\d+) {2}\S/gm)].map(([, code]) => Number(code));
    expect(codes).toEqual([0, 1, 2, 3, 4, 5, 70, 130]);
  });

  it("prints the help of a command", async () => {
    expect(await runCaptured(["help", "compliance", "audit-verify"])).toEqual(
      await runCaptured(["compliance", "audit-verify", "--help"]),
    );
    expect(await runCaptured(["help", "nothing"])).toMatchObject({ exitCode: 2, out: "" });
  });
});

describe("svc-cli version", () => {
  // proves CLI-13
  it.each([
    ["json", /^\{\n {2}"schema": "svc\.cli\.version\/v1",\n {2}"version": "0\.1\.0",\n {2}"node": "/],
    ["ndjson", /^\{"schema":"svc\.cli\.version\/v1","version":"0\.1\.0","node":"[^"]+"\}\n$/],
    ["yaml", /^schema: svc\.cli\.version\/v1\nversion: 0\.1\.0\nnode: /],
    ["pretty", /^svc-cli 0\.1\.0 \(Node /],
  ])("prints %s", async (format, expected) => {
    const { exitCode, out, error } = await runCaptured(["version", "-o", format]);
    expect([exitCode, error]).toEqual([0, ""]);
    expect(out).toMatch(expected);
  });

  it("takes only the forms that it has", async () => {
    expect(await runCaptured(["version", "-o", "sarif"])).toMatchObject({ exitCode: 2, out: "" });
  });
});
