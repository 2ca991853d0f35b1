import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text as readText } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { renderCheckpointLine } from "@svc/audit-log/checkpoint-line";
import { generateSigningKey, parseSigner, renderVerifierKey } from "@svc/audit-log/note-key";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { runCaptured, type Surroundings } from "../testing/run-captured.ts";

const golden = (name: string) =>
  fileURLToPath(new URL(`../../../audit-log/testdata/${name}`, import.meta.url));
const EXPORT = golden("golden-export.ndjson");
const KEY_FILE = golden("golden-public-key.txt");
const KEY = readFileSync(KEY_FILE, "utf8").trim();
const lines = readFileSync(EXPORT, "utf8").split(/(?<=\n)/);
const whole = lines.join("");
const notes = lines.filter((line) => line.includes('"checkpoint":'));

const end = (rows: number, checkpoints: number) => `{"end":{"rows":${rows},"checkpoints":${checkpoints}}}\n`;
/** The first 12 rows and their checkpoint. */
const truncated = [...lines.slice(0, 14), end(12, 1)].join("");
const unsigned = [...lines.filter((line) => !notes.includes(line)).slice(0, -1), end(36, 0)].join("");
const removed = readFileSync(golden("golden-export-removed.ndjson"), "utf8");
const changedRow = whole.replace("refunds need a person", "refunds need a persom");
const checkpointFile = notes
  .map((line, index) => ({
    logId: "gw-golden",
    size: (index + 1) * 12,
    note: (JSON.parse(line) as { checkpoint: string }).checkpoint,
  }))
  .map(renderCheckpointLine)
  .join("");

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "svc-cli-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string): string {
  writeFileSync(join(folder, name), content, { mode: 0o600 });
  return join(folder, name);
}

const verify = (args: readonly string[], surroundings?: Surroundings) =>
  runCaptured(["compliance", "audit-verify", ...args], surroundings);

describe("audit-verify of an export", () => {
  // proves AUD-10
  it("says that a whole log is intact", async () => {
    const { exitCode, out, error } = await verify(["--file", EXPORT, "--public-key", KEY_FILE]);
    expect({ exitCode, error }).toEqual({ exitCode: 0, error: "" });
    expect(out).toMatch(/^gw-golden: intact, 36 rows, 3 checkpoints over 36 rows, head [0-9a-f]{64}\n$/);
  });

  it("says the same as JSON", async () => {
    const { exitCode, out } = await verify(["--file", EXPORT, "--public-key", KEY, "-o", "json"]);
    expect(exitCode).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      verdict: "intact",
      keys_from: "pinned",
      logs: [
        {
          log_id: "gw-golden",
          verdict: "intact",
          rows: 36,
          good_rows: 36,
          checkpoints: 3,
          signed_rows: 36,
          faults: [],
        },
      ],
    });
  });

  // proves AUD-10
  it("L1: explains the first bad row", async () => {
    const { exitCode, out } = await verify(["--file", "-", "--public-key", KEY], { stdin: changedRow });
    expect(exitCode).toBe(1);
    const [verdict, good, fault, expected, found] = out.split("\n");
    expect(verdict).toMatch(/^gw-golden: broken, 36 rows, /);
    expect(good).toBe("  3 rows are good before the first fault");
    expect(fault).toBe(
      "  row 3 (decision of agent-0 at 2026-11-02T09:00:03.000Z) was changed: its bytes do not have its hash",
    );
    expect(expected).toMatch(/^ {4}expected [0-9a-f]{64}$/);
    expect(found).toMatch(/^ {4}found {4}[0-9a-f]{64}$/);
  });

  const stranger = renderVerifierKey(parseSigner("svc-golden", generateSigningKey()).verifier);
  const cases: readonly [string, string, string, { exitCode: number; says: string }][] = [
    ["another key", whole, stranger, { exitCode: 5, says: "gw-golden: cannot be judged, 36 rows" }],
    ["another key and a changed row", changedRow, stranger, { exitCode: 1, says: "row 3 (" }],
    ["another key, rows removed", removed, stranger, { exitCode: 5, says: "cannot be judged" }],
    ["no checkpoint", unsigned, KEY, { exitCode: 5, says: "unsigned" }],
    ["a removed line", lines.toSpliced(5, 1).join(""), KEY, { exitCode: 1, says: "the export was changed" }],
    [
      "a cut export",
      whole.slice(0, 5000),
      KEY,
      { exitCode: 3, says: "nothing is verified: the export stops within line" },
    ],
    ["a cut export: what to do", whole.slice(0, 5000), KEY, { exitCode: 3, says: "download it again" }],
    [
      "changed line endings",
      whole.replaceAll("\n", "\r\n"),
      KEY,
      { exitCode: 3, says: "line 1: line endings were changed: expected LF, found CR LF; copy it again" },
    ],
    ["no export", "<html>\n", KEY, { exitCode: 3, says: "svc-audit-export/1" }],
    ["no rows", `${lines[0]}${end(0, 0)}`, KEY, { exitCode: 5, says: "nothing is proven" }],
    [
      "escape sequences",
      whole.replaceAll("gw-golden", "gw\\u001b[2J"),
      KEY,
      { exitCode: 1, says: "gw\\u{1b}[2J: broken" },
    ],
  ];
  it.each(cases)("%s: exit code and explanation", async (_, stdin, key, { exitCode, says }) => {
    const result = await verify(["--file", "-", "--public-key", key], { stdin });
    expect(result.exitCode).toBe(exitCode);
    expect(result.out + result.error).toContain(says);
  });

  // proves AUD-85
  it("names the given keys and the needed ones when none of the given ones signed the log", async () => {
    const args = ["--file", EXPORT, "--public-key", stranger];
    const { exitCode, out } = await verify(args);
    const [given, needed] = [stranger, KEY].map((key) => key.split("+", 2).join("+"));
    expect(exitCode).toBe(5);
    expect(out.split("\n")).toEqual([
      expect.stringMatching(
        /^gw-golden: cannot be judged, 36 rows, 0 checkpoints over 0 rows, head /,
      ) as string,
      `  none of the given keys signed this log: given ${given}, needed ${needed}; is it the right key file?`,
      "",
    ]);
    const { verdict, logs } = JSON.parse((await verify([...args, "-o", "json"])).out) as {
      verdict: string;
      logs: unknown[];
    };
    expect(verdict).toBe("not_judged");
    expect(logs).toMatchObject([{ verdict: "not_judged", needed_keys: [needed], faults: [] }]);
  });

  it("L2: finds with checkpoints kept elsewhere what was cut off together with its own", async () => {
    const args = ["--file", "-", "--public-key", KEY];
    expect((await verify(args, { stdin: truncated })).exitCode).toBe(0);
    // The last line is still being written.
    const kept = file("checkpoints.ndjson", `${checkpointFile}{"log_id":`);
    const found = await verify([...args, "--checkpoints", kept], { stdin: truncated });
    expect(found.exitCode).toBe(1);
    expect(found.out).toContain("checkpoint of 36 rows was signed over more rows than there are");
    expect((await verify([...args, "--checkpoints", kept], { stdin: whole })).exitCode).toBe(0);
    const empty = await verify([...args, "--checkpoints", file("empty", "")], { stdin: whole });
    expect(empty.exitCode).toBe(0);
    expect(empty.error).toContain("holds no checkpoint, so it proves nothing");
  });

  /** All rows, and the checkpoints over the first 24. */
  const tail = [...lines.filter((line) => line !== notes[2]).slice(0, -1), end(36, 2)].join("");

  // proves AUD-28
  it("rows behind the last checkpoint are not intact: names them and what to do", async () => {
    const args = ["--file", "-", "--public-key", KEY];
    const { exitCode, out } = await verify(args, { stdin: tail });
    expect(exitCode).toBe(5);
    expect(out).toMatch(/^gw-golden: partly signed, 36 rows, 2 checkpoints over 24 rows, head /);
    expect(out).toContain("  rows 24-35 are not covered by a signature: ");
    expect(out).toContain("export the log again from its running server");
    expect(JSON.parse((await verify([...args, "-o", "json"], { stdin: tail })).out)).toMatchObject({
      verdict: "partly_signed",
      logs: [{ verdict: "partly_signed", signed_rows: 24 }],
    });
  });

  // proves AUD-29
  it.each([
    [
      "a missing row",
      lines.toSpliced(5, 1),
      /row 4 is missing: row 5 \(decision of agent-2 at 2026\S+\) follows/,
    ],
    ["missing rows", lines.toSpliced(5, 3), /rows 4-6 are missing: row 7 \(\w+ .*\) follows row 3/],
    ["a missing first row", lines.toSpliced(1, 1), /row 0 is missing: row 1 \(.*\) stands first/],
    ["a repeated row", lines.toSpliced(5, 0, lines[4] ?? ""), /row 3 \(.*\) is repeated after row 3/],
    [
      "exchanged rows",
      lines.with(4, lines[5] ?? "").with(5, lines[4] ?? ""),
      /row 3 is out of order: row 4 \(decision of .* at \S+\) is in its place, and the row itself comes/,
    ],
  ])("names %s, also when the end line still counts as before", async (_name, changed, says) => {
    const rowCount = changed.filter((line) => line.includes('"seq":')).length;
    const fixed = [...changed.slice(0, -1), end(rowCount, 3)].join("");
    for (const stdin of [changed.join(""), fixed]) {
      const { exitCode, out } = await verify(["--file", "-", "--public-key", KEY], { stdin });
      expect(exitCode).toBe(1);
      expect(out).toMatch(says);
      expect(out.match(/^ {2}rows? \d.*(?:missing|repeated|order)/gm)).toHaveLength(1);
    }
  });

  // proves AUD-27
  it("skips lines of kept checkpoints that are damaged, and names them", async () => {
    const [first = "", ...others] = checkpointFile.split(/(?<=\n)/);
    // Cut within the dash of the signature: the rest is not UTF-8.
    const torn = Buffer.from(first).subarray(0, Buffer.from(first).indexOf("\u2014") + 1);
    const kept = join(folder, "damaged.ndjson");
    writeFileSync(
      kept,
      Buffer.concat([Buffer.from(first), torn, Buffer.from(first), Buffer.from(others.join(""))]),
    );
    const args = ["--file", EXPORT, "--public-key", KEY, "--checkpoints", kept];
    const { exitCode, error } = await verify(args);
    expect(exitCode).toBe(0);
    expect(error).toContain(`warning: --checkpoints: ${kept}: line 2 is not a checkpoint and was skipped; `);
    const json = JSON.parse((await verify([...args, "-o", "json"])).out) as object;
    expect(json).toMatchObject({ skipped_checkpoint_lines: [2] });
    expect(
      (await verify([...args.slice(0, 4), "--checkpoints", kept, "--file", "-"], { stdin: truncated }))
        .exitCode,
    ).toBe(1);
  });

  it("reads relative paths from where the command was called", async () => {
    file("relative.ndjson", whole);
    file("relative-key.txt", KEY);
    file("relative-kept.ndjson", checkpointFile);
    const args = ["--file", "relative.ndjson", "--public-key", "relative-key.txt"];
    const run = { workingDirectory: folder };
    expect(await verify([...args, "--checkpoints", "relative-kept.ndjson"], run)).toMatchObject({
      exitCode: 0,
      error: "",
    });
  });

  it("is silent when asked to", async () => {
    expect(await verify(["--file", EXPORT, "--public-key", KEY, "--quiet"])).toEqual({
      exitCode: 0,
      out: "",
      error: "",
    });
  });

  const mistyped = `${KEY.slice(0, -3)}${KEY.at(-3) === "A" ? "B" : "A"}${KEY.slice(-2)}`;
  const misuse: readonly [readonly string[], string][] = [
    [["--file", EXPORT], "--file needs --public-key"],
    [["--file", EXPORT, "--public-key", KEY, "--url", "http://localhost"], "--file and --url"],
    [
      ["--file", "/nowhere/export", "--public-key", KEY],
      "--file: /nowhere/export cannot be read: there is no such file",
    ],
    [["--file", EXPORT, "--public-key", "/nowhere/key"], "--public-key: expected a key or a readable file"],
    [["--file", EXPORT, "--public-key", `${KEY}=`], "--public-key: expected a key as"],
    [["--file", EXPORT, "--public-key", KEY.replace("+A", "+B")], "--public-key: expected an Ed25519 key"],
    [["--file", EXPORT, "--public-key", mistyped], "is mistyped or damaged"],
    [
      ["--file", EXPORT, "--public-key", KEY, "--checkpoints", "/nowhere/c"],
      "--checkpoints: /nowhere/c cannot be read: there is no such file",
    ],
    [["--file", EXPORT, "--public-key", KEY, "--checkpoints", EXPORT], "line 1: expected a checkpoint"],
    [["--url", "ftp://localhost"], "--url: expected an http:// or https:// address"],
    [["--unknown"], "unknown option"],
    [["-o", "xml"], "Allowed choices are pretty, json"],
  ];
  it("says how the keys that the server answers become a file", async () => {
    const key = file("answer.json", JSON.stringify({ keys: [KEY] }));
    const { exitCode, error } = await verify(["--file", EXPORT, "--public-key", key]);
    expect(exitCode).toBe(2);
    expect(error).toContain('write each key of the list "keys" without quotes on a line of its own');
  });

  it.each(misuse)("refuses %j", async (args, message) => {
    const { exitCode, out, error } = await verify(args);
    expect({ exitCode, out }).toEqual({ exitCode: 2, out: "" });
    expect(error).toContain(message);
  });
});

describe("audit-verify of a server", () => {
  let server: Server | null = null;
  afterEach(async () => {
    if (server === null) return;
    server.closeAllConnections();
    server.close();
    await once(server, "close");
    server = null;
  });

  async function serve(handler: RequestListener): Promise<string> {
    server = createServer(handler).listen(0, "127.0.0.1");
    await once(server, "listening");
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/prefix/`;
  }

  const seen: string[] = [];
  const answer =
    (exported: string): RequestListener =>
    (request, response) => {
      seen.push(`${request.url} ${request.headers.authorization ?? "-"}`);
      response.end(
        request.url === "/prefix/api/v1/audit/public-key" ? JSON.stringify({ keys: [KEY] }) : exported,
      );
    };

  it("asks with the key of the environment, and says whose public key it took", async () => {
    const url = await serve(answer(whole));
    seen.length = 0;
    const keyFile = file("api-key", "svc_k_secret\n");
    const { exitCode, error } = await verify([], {
      environment: { SVC_URL: url, SVC_API_KEY_FILE: keyFile },
    });
    expect(exitCode).toBe(0);
    expect(error).toContain("warning: the public key comes from the server that is verified, http://");
    expect(seen).toEqual([
      "/prefix/api/v1/audit/public-key Bearer svc_k_secret",
      "/prefix/api/v1/audit/export Bearer svc_k_secret",
    ]);
  });

  // proves CLI-27
  it("shows no line of a file that holds no public key", async () => {
    const secret = `svc_0123456789abcdef_${"ab".repeat(32)}`;
    const pinned = file("no-public-key", `\n${secret}\n`);
    const { exitCode, out, error } = await verify(["--file", EXPORT, "--public-key", pinned]);
    expect([exitCode, out]).toEqual([2, ""]);
    expect(error).toBe(
      "error: --public-key: line 2: expected a key as <name>+<8 hex digits>+<base64>, found another text " +
        "of 85 characters (not shown)\n",
    );
  });

  it("does not ask for the public key when one is pinned", async () => {
    const url = await serve(answer(changedRow));
    seen.length = 0;
    const { exitCode, error } = await verify(["--url", url, "--public-key", KEY]);
    expect({ exitCode, error, seen }).toEqual({
      exitCode: 1,
      error: "",
      seen: ["/prefix/api/v1/audit/export -"],
    });
  });

  // proves AUD-28
  it("tries once more when rows are not signed yet, and then says what to look at", async () => {
    const tail = [...lines.filter((line) => line !== notes[2]).slice(0, -1), end(36, 2)].join("");
    const exported = [tail, whole, tail, tail];
    const url = await serve((_, response) => void response.end(exported.shift()));
    expect((await verify(["--url", url, "--public-key", KEY])).exitCode).toBe(0);
    const again = await verify(["--url", url, "--public-key", KEY]);
    expect(again.exitCode).toBe(5);
    expect(again.out).toContain("svc_checkpoint_failures_total");
    expect(again.out).not.toContain("export the log again");
    expect(exported).toEqual([]);
  });

  it.each([
    [401, 4],
    [403, 4],
    [302, 3],
    [404, 3],
    [503, 3],
  ])("status %i", async (status, exitCode) => {
    const url = await serve((_, response) => void response.writeHead(status, { location: "/" }).end());
    expect(await verify(["--url", url, "--public-key", KEY])).toMatchObject({ exitCode, out: "" });
  });

  it.each<[string, RequestListener]>([
    ["a broken connection", (request) => void request.socket.destroy()],
    [
      "a stream that breaks off",
      (_, response) => void response.write(whole.slice(0, 5000), () => response.destroy()),
    ],
    ["a stream that ends early", (_, response) => void response.end(lines.slice(0, -1).join(""))],
  ])("%s proves nothing", async (_, handler) => {
    const url = await serve(handler);
    expect(await verify(["--url", url, "--public-key", KEY])).toMatchObject({ exitCode: 3, out: "" });
  });

  it.each(["{}", '{"keys":[]}', '{"keys":["x"]}', "null", "<html>"])(
    "public keys %j cannot be used",
    async (body) => {
      const url = await serve((_, response) => void response.end(body));
      const { exitCode, error } = await verify(["--url", url]);
      expect(exitCode).toBe(3);
      expect(error).toContain("the server's public keys cannot be read");
    },
  );

  it("refuses two keys, and keys that no header can carry, without repeating them", async () => {
    const both = await verify([], { environment: { SVC_API_KEY: "a", SVC_API_KEY_FILE: "b" } });
    expect(both).toMatchObject({
      exitCode: 2,
      error: expect.stringContaining("expected SVC_API_KEY or SVC_API_KEY_FILE, found both") as string,
    });
    const strange = await verify([], { environment: { SVC_API_KEY: "s3cret key" } });
    expect(strange.exitCode).toBe(2);
    expect(strange.error).not.toContain("s3cret");
  });
});

describe("the executable", () => {
  const main = fileURLToPath(new URL("../main.ts", import.meta.url));

  it.each([
    [whole, 0, "intact"],
    [changedRow, 1, "was changed: its bytes do not have its hash"],
  ])("runs from its sources (%#)", async (stdin, exitCode, says) => {
    const child = spawn(process.execPath, [
      main,
      "compliance",
      "audit-verify",
      "--file",
      "-",
      "--public-key",
      KEY,
    ]);
    child.stdin.end(stdin);
    const [out, [code]] = await Promise.all([readText(child.stdout), once(child, "close")]);
    expect({ code: code as number, says: out.includes(says) }).toEqual({ code: exitCode, says: true });
  });
});
