import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { generateSigningKey, parseSigner, renderVerifierKey } from "@svc/audit-log/note-key";
import { describe, expect, it, onTestFinished } from "vitest";
import { runCaptured } from "../testing/run-captured.ts";
import { scriptedServer } from "../testing/scripted-server.suite.ts";

const golden = (name: string) =>
  fileURLToPath(new URL(`../../../audit-log/testdata/${name}`, import.meta.url));
const EXPORT = golden("golden-export.ndjson");
const KEYS = golden("golden-public-key.txt");
const KEY = readFileSync(KEYS, "utf8").trim();

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "svc-compliance-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

const report = (file: string, ...args: readonly string[]) =>
  runCaptured(["compliance", "report", "--file", file, "--public-key", KEYS, ...args]);

describe("svc-cli compliance report", () => {
  // proves CLI-97
  it("names evidence, period, heads, keys and result, and no gap of a whole log", async () => {
    const { exitCode, out } = await report(EXPORT, "-o", "json");
    expect(exitCode).toBe(0);
    const made = JSON.parse(out) as { readonly logs: readonly { readonly head: string }[] };
    const digest = createHash("sha256").update(readFileSync(EXPORT)).digest("hex");
    expect(made).toMatchObject({
      schema: "svc.cli.audit-report/v1",
      evidence: `the file ${EXPORT}`,
      evidence_sha256: `sha256:${digest}`,
      result: "intact",
      rows: 36,
      keys: [KEY],
      keys_from: "pinned",
      logs: [{ log_id: "gw-golden", result: "intact", rows: 36, signed_rows: 36, checkpoints: 3 }],
      gaps: [],
    });
    const { out: text } = await report(EXPORT);
    for (const part of [digest, KEY, made.logs[0]?.head ?? "", "INTACT", "Signature:", "gaps      none"])
      expect(text).toContain(part);
  });

  // proves CLI-97
  it.each([
    ["a changed row", (text: string) => text.replace("refunds need", "refunds need no"), 1, "fault"],
    ["a log without its last checkpoint", (text: string) => withoutLastCheckpoint(text), 5, "unsigned_rows"],
  ])("lists %s as a gap, with the exit code of audit-verify", async (_name, change, code, kind) => {
    const path = join(folder(), "export.ndjson");
    writeFileSync(path, change(readFileSync(EXPORT, "utf8")));
    const { exitCode, out } = await report(path, "-o", "json");
    expect(exitCode).toBe(code);
    const gaps = (JSON.parse(out) as { readonly gaps: readonly { readonly kind: string }[] }).gaps;
    expect(gaps.map((gap) => gap.kind)).toContain(kind);
    const text = await report(path);
    expect([text.exitCode, text.out]).toEqual([code, expect.not.stringContaining("INTACT:")]);
  });

  // proves AUD-85, CLI-97
  it("says that the evidence cannot be judged where none of the given keys signed it", async () => {
    const stranger = renderVerifierKey(parseSigner("svc-other", generateSigningKey()).verifier);
    const args = ["compliance", "report", "--file", EXPORT, "--public-key", stranger];
    const { exitCode, out } = await runCaptured([...args, "-o", "json"]);
    expect(exitCode).toBe(5);
    const needed = KEY.split("+", 2).join("+");
    expect(JSON.parse(out)).toMatchObject({
      result: "not_judged",
      gaps: [
        { kind: "other_keys", text: `signed by other keys than those given: ${needed}` },
        { kind: "unsigned_rows" },
      ],
    });
    expect((await runCaptured(args)).out).toContain("CANNOT BE JUDGED: ");
  });

  // proves CLI-97
  it("lists removed rows and rows that an excerpt leaves out as gaps", async () => {
    const kindsOf = async (name: string) => {
      const { out } = await report(golden(name), "-o", "json");
      return (JSON.parse(out) as { readonly gaps: readonly { readonly kind: string }[] }).gaps.map(
        ({ kind }) => kind,
      );
    };
    expect(await kindsOf("golden-export-removed.ndjson")).toEqual(["removed_rows"]);
    expect(await kindsOf("golden-excerpt.ndjson")).toEqual(["left_out_rows"]);
  });
});

/** The export without its last checkpoint, whose end line counts what is left. */
function withoutLastCheckpoint(text: string): string {
  const lines = text.split(/(?<=\n)/);
  const last = lines.findLastIndex((line) => line.includes('"checkpoint":'));
  return lines.toSpliced(last, 1).join("").replace('"checkpoints":3', '"checkpoints":2');
}

const NOTE = "svc-containment/ks_1\n{}\n\n\u2014 svc-audit AAAA\n";

async function evidenceServer(isCut = false): Promise<string> {
  return scriptedServer((request, response) => {
    const isExport = request.url?.startsWith("/api/v1/audit/export") === true;
    response.writeHead(200, { "content-type": isExport ? "application/x-ndjson" : "text/plain" });
    if (!isCut) response.end(isExport ? `${request.url ?? ""}\n` : NOTE);
    else response.write("half", () => response.destroy());
  });
}

describe("svc-cli compliance certificate and audit export", () => {
  // proves CLI-98
  it("write what the server signed, byte by byte, to stdout or into a new file", async () => {
    const url = await evidenceServer();
    const workingDirectory = folder();
    const run = (...args: readonly string[]) => runCaptured([...args, "--url", url], { workingDirectory });
    expect((await run("compliance", "certificate", "ks_1")).out).toBe(NOTE);
    expect((await run("compliance", "certificate", "ks_1", "--out", "c.txt")).exitCode).toBe(0);
    expect(readFileSync(join(workingDirectory, "c.txt"), "utf8")).toBe(NOTE);
    expect((await run("audit", "export")).out).toBe("/api/v1/audit/export\n");
    const asked = ["--agent", "a", "--kind", "decision", "--log", "gw_1", "--format", "ocsf"];
    const times = ["--between", "2026-01-01..2026-02-01", "--out", "e.ndjson"];
    expect((await run("audit", "export", ...asked, ...times)).exitCode).toBe(0);
    expect(readFileSync(join(workingDirectory, "e.ndjson"), "utf8")).toBe(
      "/api/v1/audit/export?format=ocsf&agent_id=a&kind=decision&log_id=gw_1&" +
        "since=2026-01-01T00%3A00%3A00.000Z&until=2026-02-01T00%3A00%3A00.000Z\n",
    );
    for (const args of [
      ["audit", "export", "--out", "e.ndjson"],
      ["compliance", "certificate", "ks_1", "--out", "c.txt"],
    ])
      expect(await run(...args)).toMatchObject({ exitCode: 2, error: expect.stringContaining("is there") });
  });

  // proves CLI-98
  it("take no page of another server for what they asked for", async () => {
    const url = await scriptedServer((_, response) => response.end("<html>Sign in"));
    const workingDirectory = folder();
    for (const command of [
      ["audit", "export"],
      ["compliance", "certificate", "ks_1"],
    ])
      for (const out of [[], ["--out", "file"]]) {
        const { exitCode, out: shown } = await runCaptured([...command, "--url", url, ...out], {
          workingDirectory,
        });
        expect([exitCode, shown]).toEqual([3, ""]);
      }
    expect(existsSync(join(workingDirectory, "file"))).toBe(false);
  });

  // proves CLI-98
  it("leave no file behind an answer that was cut", async () => {
    const url = await evidenceServer(true);
    const workingDirectory = folder();
    const { exitCode } = await runCaptured(["audit", "export", "--out", "e.ndjson", "--url", url], {
      workingDirectory,
    });
    expect(exitCode).toBe(3);
    for (const name of ["e.ndjson", "e.ndjson.part"])
      expect(existsSync(join(workingDirectory, name))).toBe(false);
  });

  // proves CLI-98
  it.each([
    ['{"end":{"rows":0,"excerpts":1}}\n', "warning: the export holds no row that fits: "],
    ["", "warning: the export holds no row that fits: "],
    ['{"end":{"rows":10,"excerpts":1}}\n', ""],
  ])("say that no row fits where the export ends with %j", async (end, warning) => {
    const url = await scriptedServer((_, response) => {
      response.writeHead(200, { "content-type": "application/x-ndjson" }).end(end);
    });
    const { exitCode, error } = await runCaptured(["audit", "export", "--agent", "typo", "--url", url]);
    expect([exitCode, error.slice(0, warning.length), error === ""]).toEqual([0, warning, warning === ""]);
  });
});
