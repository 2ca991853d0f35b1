import { lstatSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCaptured } from "../testing/run-captured.ts";

const POLICY = `id: p
tools: {allowed: [pay, mail, read]}
session: {max_steps: 2}
rules:
  - {id: ask, match: {tool: pay}, action: require_approval}
  - {id: hide, match: {tool: mail}, action: redact, redact: {fields: [args.to]}}
`;

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "svc-update-"));
  writeFileSync(join(folder, "p.yaml"), POLICY);
});
afterAll(() => rmSync(folder, { recursive: true }));

const test = (file: string, ...args: readonly string[]) =>
  runCaptured(["test", "p.yaml", "--mock", file, ...args], { workingDirectory: folder });

async function updated(file: string, text: string, ...args: readonly string[]) {
  writeFileSync(join(folder, file), text);
  const ended = await test(file, "--update", ...args);
  return { ...ended, text: readFileSync(join(folder, file), "utf8") };
}

describe("svc-cli test --update", () => {
  // proves CLI-68
  it.each([
    [
      "a case in one line of JSON",
      "cases.json",
      '[\n  {"tool":"read"},\n  {"tool":"db"}\n]\n',
      '[\n  {"tool":"read","expect": {"decision":"allow"}},\n' +
        '  {"tool":"db","expect": {"decision":"deny","reason_code":"not_allowed"}}\n]\n',
    ],
    [
      "a case in lines of JSON in a strange form",
      "cases.json",
      '[ {\n    "tool" : "pay"\n  } ]\n',
      '[ {\n    "tool": "pay",\n    "expect": {\n      "decision": "pause",\n' +
        '      "rule_id": "ask"\n    }\n  } ]\n',
    ],
    [
      "a file that is JSON but for its comments",
      "cases.json",
      '# the cases\n[{"tool": "pay"}] # money\n',
      '# the cases\n[{"tool": "pay", expect: {decision: pause, rule_id: ask}}] # money\n',
    ],
    [
      "a case of YAML",
      "cases.yaml",
      "# the cases\n- tool: mail # to someone\n  args: {to: a@b.example}\n",
      "# the cases\n- tool: mail # to someone\n  args: {to: a@b.example}\n" +
        '  expect:\n    decision: allow\n    shaped_args:\n      to: "[redacted]"\n',
    ],
  ])("adds what %s gets", async (_, file, before, after) => {
    const { exitCode, text, error } = await updated(file, before);
    expect([exitCode, text]).toEqual([0, after]);
    expect(error).toContain("+ ");
    expect(await test(file)).toMatchObject({ exitCode: 0 });
  });

  // proves CLI-68
  it("changes the members that fail, shows them, and asks first", async () => {
    const before = '[{"tool": "pay", "expect": {"decision": "allow", "reason": "/asks|approval/"}}]\n';
    const unasked = await updated("fails.json", before);
    expect([unasked.exitCode, unasked.text, unasked.out]).toEqual([2, before, ""]);
    expect(unasked.error).toContain("pass --yes");
    const { exitCode, text, out, error } = await updated("fails.json", before, "--yes");
    expect([exitCode, out]).toEqual([0, "fails.json: 0 expectations added, 1 changed\n"]);
    expect(text).toContain('"expect": {"decision": "pause", "reason": "/asks|approval/"}');
    expect(error).toContain('- [{"tool": "pay", "expect": {"decision": "allow"');
  });

  // proves CLI-68
  it("writes nothing where no expectation fits, nothing changes, or nobody reads it", async () => {
    const mixed = '[{"tool": "read", "session_id": "s", "repeat": 3}]\n';
    const unfit = await updated("mixed.json", mixed);
    expect([unfit.exitCode, unfit.text]).toEqual([1, mixed]);
    expect(unfit.error).toContain("its 3 calls do not end alike");
    const met = '[{"tool": "read", "expect": {"decision": "allow"}}]';
    expect(await updated("met.json", met)).toMatchObject({ exitCode: 0, text: met });
    const built = await runCaptured(["test", "p.yaml", "--mock", "mixed.json", "--update"], {
      workingDirectory: folder,
      environment: { CI: "true" },
    });
    expect(built).toMatchObject({ exitCode: 2, out: "" });
    expect(built.error).toContain("--update: expected a person, found CI");
    expect(await test("met.json", "--update", "--watch")).toMatchObject({ exitCode: 2 });
  });

  // proves CLI-31
  it("shows no secret of the lines that it shows", async () => {
    const secret = "AKIAIOSFODNN7EXAMPLE";
    const before = `[\n  {"tool": "mail", "args": {"to": "${secret}"}},\n  {"tool": "read"}\n]\n`;
    const { out, error, text } = await updated("secret.json", before);
    expect(error).toContain("[masked:secret.aws_key]");
    expect(out + error).not.toContain(secret);
    expect(text).toContain(secret);
  });

  // proves CLI-68
  it("changes the file behind a link, and leaves the link", async () => {
    writeFileSync(join(folder, "real.json"), '[{"tool":"read"}]');
    symlinkSync("real.json", join(folder, "link.json"));
    expect(await test("link.json", "--update")).toMatchObject({ exitCode: 0 });
    expect(lstatSync(join(folder, "link.json")).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(folder, "real.json"), "utf8")).toContain('"expect"');
  });

  // proves CLI-68
  it("changes only the cases that --run names", async () => {
    const before = '[{"name":"a","tool":"read"},{"name":"b","tool":"read"}]';
    const { text } = await updated("named.json", before, "--run", "^b$");
    expect(text).toBe(
      '[{"name":"a","tool":"read"},{"name":"b","tool":"read","expect": {"decision":"allow"}}]',
    );
  });
});
