import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCaptured } from "../testing/run-captured.ts";

const OLD = `id: p
tools: {allowed: [a, b]}
rules:
  - {id: cap, match: {tool: a, condition: {field: args.n, operator: ">", value: 5}}, action: deny}
  - {id: gone, match: {tool: b}, action: deny}
`;
const NEW = OLD.replace("value: 5", "value: 9").replace("id: gone", "id: new").replace("[a, b]", "[b, a, c]");
const KEY = "AKIAIOSFODNN7EXAMPLQ";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "svc-diff-"));
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  write("old.yaml", OLD);
  write("new.yaml", NEW);
  write("same.yaml", `# a comment\n${OLD.replace("[a, b]", "[b, a]")}`);
  write("bad.yaml", "id: p\nrulez: []\n");
  write("secret.yaml", OLD.replace("value: 5", `value: 5`).replace("id: p", `id: p\nname: ${KEY}`));
});
afterAll(() => rmSync(folder, { recursive: true }));

const diff = (args: readonly string[], stdin = "") =>
  runCaptured(["diff", ...args], { workingDirectory: folder, stdin });

describe("svc-cli diff", () => {
  // proves CLI-23
  it("shows what differs in meaning", async () => {
    const { exitCode, out } = await diff(["old.yaml", "new.yaml"]);
    expect(exitCode).toBe(0);
    expect(out.split("\n").slice(0, 2)).toEqual([
      '+ /tools/allowed: "c"',
      "~ /rules/cap/match/condition/value: 5 -> 9",
    ]);
    expect(out).toMatch(/^- \/rules\/gone: /m);
    expect(out).toMatch(/^\+ \/rules\/new: /m);
  });

  // proves CLI-23
  it("ends with 1 for a difference when --exit-code asks", async () => {
    expect(await diff(["old.yaml", "new.yaml", "--exit-code"])).toMatchObject({ exitCode: 1 });
    expect(await diff(["old.yaml", "same.yaml", "--exit-code"])).toEqual({
      exitCode: 0,
      out: "No difference in meaning: only comments, formatting, defaults or the order of lists differ.\n",
      error: "",
    });
    expect(await diff(["-", "old.yaml", "--exit-code"], OLD)).toMatchObject({
      exitCode: 0,
      out: "The two texts are identical.\n",
    });
  });

  it("has the changes as JSON", async () => {
    const { out } = await diff(["old.yaml", "new.yaml", "-o", "json"]);
    expect(JSON.parse(out)).toMatchObject({
      schema: "svc.cli.diff/v1",
      identical: false,
      changes: [{ kind: "added", path: "/tools/allowed", before: null, after: "c" }, {}, {}, {}],
    });
  });

  it("masks a secret that a policy holds", async () => {
    for (const format of ["pretty", "json"]) {
      const { out } = await diff(["old.yaml", "secret.yaml", "-o", format]);
      expect(out).toContain("/name");
      expect(out).not.toContain(KEY);
    }
  });

  it("needs two policies that a server would accept", async () => {
    expect(await diff(["old.yaml", "bad.yaml"])).toMatchObject({ exitCode: 1, out: "" });
    expect(await diff(["old.yaml", "none.yaml"])).toMatchObject({ exitCode: 2, out: "" });
    expect(await diff(["-", "-"])).toMatchObject({ exitCode: 2, out: "" });
    expect(await diff(["old.yaml"])).toMatchObject({ exitCode: 2, out: "" });
  });
});
