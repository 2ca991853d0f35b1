import { existsSync, lstatSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keyRoutes } from "@svc/api/key-routes";
import { describe, expect, it, onTestFinished } from "vitest";
import { runCaptured, type Surroundings } from "../testing/run-captured.ts";
import { scriptedServer } from "../testing/scripted-server.suite.ts";

const CREATED = keyRoutes.createKey.answers[201].example;
const [LISTED] = keyRoutes.listKeys.answers[200].example.keys;
const SECRET = `svc_${LISTED.id}_${"a".repeat(43)}`;
const NO_ROWS = {
  rows: [],
  next_cursor: null,
  searched_back_to: null,
  indexed: { complete: true, behind: [] },
};
const ROW = {
  ...NO_ROWS,
  rows: [
    {
      id: "gw_1.7",
      log_id: "gw_1",
      seq: 7,
      time: "2026-11-22T09:00:00.000Z",
      kind: "key",
      hash: "00",
      outcome: null,
      row: { kind: "key", action: "created", key_id: LISTED.id },
    },
  ],
};

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "svc-keys-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

/** A server that makes a key, or answers what a test says. @returns what it was asked beside the log */
async function keyServer(status: number, answer: object) {
  const asked: Asked[] = [];
  const url = await scriptedServer((request, response) => {
    const path = new URL(request.url ?? "", "http://any").pathname.replace("/api/v1", "");
    const send = (code: number, body: object): void =>
      void response.writeHead(code, { "content-type": "application/json" }).end(JSON.stringify(body));
    if (path === "/whoami") {
      send(200, { ...keyRoutes.whoAmI.answers[200].example, scopes: ["audit:read"] });
      return;
    }
    if (path === "/audit") {
      send(200, asked.length === 0 ? NO_ROWS : ROW);
      return;
    }
    let text = "";
    request.on("data", (chunk: Buffer) => (text += chunk.toString()));
    request.on("end", () => {
      asked.push({ method: request.method ?? "", path, body: text === "" ? null : JSON.parse(text) });
      send(status, answer);
    });
  });
  return { url, asked };
}

const run = (url: string, args: readonly string[], more: Surroundings = {}) =>
  runCaptured(["keys", ...args, "--url", url], more);

describe("svc-cli keys create", () => {
  // proves CLI-94
  it("puts the secret into a file that only its owner can read, and prints it nowhere", async () => {
    const { url, asked } = await keyServer(201, { ...CREATED, key: SECRET });
    const workingDirectory = folder();
    const args = ["create", "payments agent", "--role", "agent", "--agents", "payments-agent"];
    for (const form of ["pretty", "json"]) {
      const out = `key-${form}`;
      // The helper fails for a secret in what was printed.
      const { exitCode, out: text } = await run(url, [...args, "--out", out, "-o", form], {
        workingDirectory,
      });
      expect(exitCode).toBe(0);
      expect(text).toContain(join(workingDirectory, out));
      expect(readFileSync(join(workingDirectory, out), "utf8")).toBe(`${SECRET}\n`);
      expect(lstatSync(join(workingDirectory, out)).mode & 0o777).toBe(0o600);
      expect(existsSync(join(workingDirectory, `${out}.new`))).toBe(false);
    }
    expect(asked[0]).toEqual({
      method: "POST",
      path: "/keys",
      body: {
        name: "payments agent",
        role: "agent",
        agents: ["payments-agent"],
        namespaces: null,
        expires_at: null,
      },
    });
  });

  // proves CLI-94
  it("shows the secret on stdout once when no file is named", async () => {
    const { url } = await keyServer(201, { ...CREATED, key: SECRET });
    const shown = await run(url, ["create", "x", "--role", "agent"], { showsKeys: true });
    expect(shown.out.split(SECRET)).toHaveLength(2);
    const { out } = await run(url, ["create", "x", "--role", "agent", "-o", "json"], { showsKeys: true });
    expect(JSON.parse(out)).toMatchObject({ key: SECRET, secret_file: null, audit_row: null });
  });

  // proves CLI-94
  it("writes the secret and nothing else to stdout with --out -, and the rest to stderr", async () => {
    const { url } = await keyServer(201, { ...CREATED, key: SECRET });
    const shown = await run(url, ["create", "x", "--role", "agent", "--out", "-"], { showsKeys: true });
    expect([shown.exitCode, shown.out]).toEqual([0, `${SECRET}\n`]);
    expect(shown.error).toContain(`svc-cli keys revoke ${CREATED.id}`);
    expect(shown.error).not.toContain(SECRET);
  });

  // proves CLI-95
  it("asks for no key when the file is there or cannot be made, or when --quiet would lose it", async () => {
    const { url, asked } = await keyServer(201, { ...CREATED, key: SECRET });
    const workingDirectory = folder();
    writeFileSync(join(workingDirectory, "taken"), "another key");
    for (const more of [
      ["--out", "taken"],
      ["--out", "none/there"],
      ["--quiet"],
      ["--quiet", "--out", "-"],
    ]) {
      const { exitCode } = await run(url, ["create", "x", "--role", "agent", ...more], { workingDirectory });
      expect(exitCode).toBe(2);
    }
    expect(readFileSync(join(workingDirectory, "taken"), "utf8")).toBe("another key");
    expect(asked).toEqual([]);
  });

  // proves CLI-95
  it("leaves no file behind a refusal, and says when a secret is lost", async () => {
    const workingDirectory = folder();
    const refused = await keyServer(403, {
      type: "about:blank",
      title: "Forbidden",
      status: 403,
      code: "forbidden",
      detail: "no",
    });
    const args = ["create", "x", "--role", "agent", "--out", "key"];
    expect((await run(refused.url, args, { workingDirectory })).exitCode).toBe(4);
    const { key: _key, ...known } = CREATED;
    const repeated = await keyServer(201, { ...known, kind: "repeated", detail: "Shown once." });
    const { exitCode, error } = await run(repeated.url, args, { workingDirectory });
    expect([exitCode, error]).toEqual([3, expect.stringContaining(`svc-cli keys revoke ${LISTED.id}`)]);
    expect(existsSync(join(workingDirectory, "key"))).toBe(false);
    expect(existsSync(join(workingDirectory, "key.new"))).toBe(false);
  });

  it("makes nothing in a dry run", async () => {
    const { url, asked } = await keyServer(201, CREATED);
    const { exitCode, out } = await run(url, ["create", "x", "--role", "admin", "--dry-run"]);
    expect([exitCode, out]).toEqual([0, expect.stringContaining("nothing was changed")]);
    expect(asked).toEqual([]);
  });
});

describe("svc-cli keys rotate", () => {
  // proves CLI-94
  it("replaces the file with the new secret, and keeps the old one when the server refuses", async () => {
    const workingDirectory = folder();
    const file = join(workingDirectory, "key");
    writeFileSync(file, "old\n", { mode: 0o644 });
    const gone = { type: "about:blank", title: "Gone", status: 404, code: "not_found", detail: "no key" };
    const refused = await keyServer(404, gone);
    const args = ["rotate", LISTED.id, "--out", "key", "--overlap", "0"];
    expect((await run(refused.url, args, { workingDirectory })).exitCode).toBe(1);
    expect(readFileSync(file, "utf8")).toBe("old\n");
    const { url, asked } = await keyServer(200, { ...CREATED, key: SECRET });
    expect((await run(url, args, { workingDirectory })).exitCode).toBe(0);
    expect(readFileSync(file, "utf8")).toBe(`${SECRET}\n`);
    expect(lstatSync(file).mode & 0o777).toBe(0o600);
    expect(asked).toEqual([
      { method: "POST", path: `/keys/${LISTED.id}/rotate`, body: { overlap_seconds: 0 } },
    ]);
  });
});

describe("svc-cli keys list and revoke", () => {
  // proves CLI-96
  it("lists the keys that work, and all of them with --all", async () => {
    const revoked = { ...LISTED, id: "000000000000", revoked_at: LISTED.created_at, revoked_by: LISTED.id };
    const expired = { ...LISTED, id: "111111111111", expires_at: LISTED.created_at };
    const { url } = await keyServer(200, { keys: [LISTED, revoked, expired], next_cursor: null });
    const idsOf = ({ out }: { readonly out: string }) => out.split("\n").map((line) => line.split("\t")[0]);
    expect(idsOf(await run(url, ["list"]))).toEqual([LISTED.id, ""]);
    expect(idsOf(await run(url, ["list", "--all"]))).toEqual([LISTED.id, revoked.id, expired.id, ""]);
  });

  // proves CLI-96
  it("says which gateways refuse a revoked key, and names one that has not confirmed", async () => {
    const answer = keyRoutes.revokeKey.answers[200].example;
    const done = await keyServer(200, answer);
    expect((await run(done.url, ["revoke", LISTED.id])).exitCode).toBe(0);
    const gateways = [{ id: "gw_1f0c", acknowledged_ms: null, lease_ends_at: LISTED.created_at }];
    const silent = await keyServer(200, { ...answer, gateways, enforced: false });
    const { exitCode, out } = await run(silent.url, ["revoke", LISTED.id]);
    expect([exitCode, out]).toEqual([3, expect.stringContaining("NOT KNOWN EVERYWHERE")]);
  });
});
