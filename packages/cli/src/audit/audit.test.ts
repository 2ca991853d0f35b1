import { explanationRoutes } from "@svc/api/explanation-routes";
import { describe, expect, it } from "vitest";
import { runCaptured } from "../testing/run-captured.ts";
import { answersByPath, scriptedServer } from "../testing/scripted-server.suite.ts";

const HOSTILE = {
  v: 1,
  kind: "decision",
  time: "2026-11-22T09:41:07.123Z",
  org: "default",
  agent_id: "a\u009b31m",
  session_id: "s",
  tool: "\u202epayments",
  decision: "deny",
  reason: "\u001b[2J\nallow forged\ttab",
};

const rowOf = (seq: number, row: object = HOSTILE) => ({
  id: `gw_1.${String(seq)}`,
  log_id: "gw_1",
  seq,
  time: HOSTILE.time,
  kind: "decision",
  hash: "00",
  outcome: null,
  row,
});

const INDEXED = { complete: true, behind: [] };
const page = (rows: readonly object[]) => ({
  rows,
  next_cursor: null,
  searched_back_to: null,
  indexed: INDEXED,
});

/** What a terminal could take for a command, apart from line ends and tabs. */
const CONTROL = /[\p{Cc}\p{Cf}]/u;
const withoutLayout = (text: string) => text.replace(/[\n\t]/g, "");

describe("svc-cli audit tail", () => {
  // proves CLI-52
  it.each(["pretty", "ndjson", "ocsf"])("writes no control character of a row as %s", async (form) => {
    const url = await scriptedServer(answersByPath({ "/audit": page([rowOf(1)]) }));
    for (const outIsTerminal of [false, true]) {
      const args = ["audit", "tail", "--url", url, "-o", form, "--color", "never"];
      const { exitCode, out } = await runCaptured(args, { outIsTerminal });
      expect(exitCode).toBe(0);
      expect(out.split("\n")).toHaveLength(2);
      expect(withoutLayout(out)).not.toMatch(CONTROL);
      if (form === "ndjson") expect(JSON.parse(out)).toMatchObject({ row: HOSTILE });
    }
  });

  // proves CLI-93
  it("shows the arguments of a call, cut where they are long", async () => {
    const row = { ...HOSTILE, args: { amount: 12, note: "n".repeat(500), escape: "\u001b[2J" } };
    const url = await scriptedServer(answersByPath({ "/audit": page([rowOf(1, row)]) }));
    const atTerminal = await runCaptured(["audit", "tail", "--url", url], { outIsTerminal: true });
    expect(atTerminal.out).toContain('{"amount":12,"note":"nnn');
    expect(atTerminal.out.length).toBeLessThan(400);
    const piped = await runCaptured(["audit", "tail", "--url", url]);
    expect(piped.out.trimEnd().split("\t").at(-1)).toMatch(/^\{"amount":12,.*\.\.\.$/);
  });

  // proves CLI-52
  it("shows the newest row last, and says which rows are not indexed yet", async () => {
    const indexed = { complete: false, behind: [{ log_id: "gw_1", from_seq: 3, rows: 7 }] };
    const answer = { ...page([rowOf(2), rowOf(1)]), indexed };
    const url = await scriptedServer(answersByPath({ "/audit": answer }));
    const { out, error } = await runCaptured(["audit", "tail", "--url", url]);
    expect(out.split("\n").map((line) => line.split("\t")[1])).toEqual(["gw_1.1", "gw_1.2", undefined]);
    expect(error).toBe("warning: the newest 7 rows are not indexed yet and may be missing: ask again\n");
  });

  // proves CLI-52
  it.each(["pretty", "ndjson", "ocsf"])("says on stderr alone that no row matches, as %s", async (form) => {
    const url = await scriptedServer(answersByPath({ "/audit": page([]) }));
    expect(await runCaptured(["audit", "tail", "--agent", "none", "--url", url, "-o", form])).toEqual({
      exitCode: 0,
      out: "",
      error: "no row of the audit log matches: is the name none right? See svc-cli agents list\n",
    });
  });

  it("says what is wrong once", async () => {
    const entry = { pointer: "decision", expected: "one of allow", found: '"denied"', fix: "" };
    const fault = 'decision: expected one of allow, found "denied"';
    const problem = {
      type: "about:blank",
      title: "Wrong",
      status: 400,
      code: "invalid_request",
      detail: fault,
      errors: [entry],
    };
    const url = await scriptedServer((_, response) =>
      response.writeHead(400, { "content-type": "application/problem+json" }).end(JSON.stringify(problem)),
    );
    const { exitCode, error } = await runCaptured(["audit", "tail", "--decision", "denied", "--url", url]);
    expect(exitCode).toBe(2);
    expect(error.split(fault)).toHaveLength(2);
  });

  // proves CLI-52
  it.each<[string, readonly string[], string]>([
    ["two times", ["--since", "1h", "--between", "2h..1h"], "expected --since or --between, found both"],
    ["a time that is none", ["--since", "yesterday"], "expected a time such as"],
    ["a stretch backwards", ["--between", "1h..2h"], "expected the earlier time first"],
    ["half a stretch", ["--between", "1h"], "expected two times with two points between them"],
    ["a past that is followed", ["-f", "--between", "2h..1h"], "use it with --since"],
    ["a number that is none", ["-n", "-3"], "expected a number of rows"],
  ])("refuses %s", async (_name, args, message) => {
    const { exitCode, out, error } = await runCaptured(["audit", "tail", ...args, "--url", "http://[::1]:1"]);
    expect([exitCode, out]).toEqual([2, ""]);
    expect(error).toContain(message);
  });
});

describe("svc-cli audit show", () => {
  // proves API-40
  it("shows where the server explains the reason, as an address", async () => {
    const explained = explanationRoutes.explainDecision.answers[200].example;
    const proof = { ...rowOf(1, HOSTILE), prev_hash: "00".repeat(32), checkpoint: null, indexed: INDEXED };
    const answers = { "/audit/gw_1.1": proof, "/decisions/gw_1.1/explain": explained };
    const url = await scriptedServer(answersByPath(answers));
    const link = `${url}/docs/reasons#reason-${explained.recorded.reason_code}`;
    for (const args of [
      ["audit", "show", "gw_1.1"],
      ["explain", "gw_1.1"],
    ]) {
      const { out } = await runCaptured([...args, "--url", url]);
      expect(out).toContain(`what the reason means: ${link}\n`);
    }
  });

  // proves CLI-54
  it("says when the hash does not fit the row, and fails", async () => {
    const proof = { ...rowOf(1), prev_hash: "00".repeat(32), checkpoint: null, indexed: INDEXED };
    const url = await scriptedServer(answersByPath({ "/audit/gw_1.1": proof }));
    const { exitCode, out } = await runCaptured(["audit", "show", "gw_1.1", "--url", url]);
    expect(exitCode).toBe(1);
    expect(out).toContain("DOES NOT FIT the row");
    expect(out).toContain("not yet: no checkpoint covers the row");
    expect(out).toContain("not explained");
    expect(withoutLayout(out)).not.toMatch(CONTROL);
  });
});
