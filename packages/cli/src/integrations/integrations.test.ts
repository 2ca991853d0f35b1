import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { integrationRoutes } from "@svc/api/integration-routes";
import { afterAll, describe, expect, it } from "vitest";
import { runCaptured } from "../testing/run-captured.ts";
import { scriptedServer } from "../testing/scripted-server.suite.ts";

const SHOWN = integrationRoutes.getIntegration.answers[200].example;
const { health: _, ...INTEGRATION } = SHOWN;
const TESTED = integrationRoutes.testIntegration.answers[200].example;

const PATH = `/api/v1/integrations/${INTEGRATION.id}`;

const folder = mkdtempSync(join(tmpdir(), "svc-integrations-"));
afterAll(() => rmSync(folder, { recursive: true }));
const secret = join(folder, "siem.secret");
writeFileSync(secret, "Bearer k3v7\n", { mode: 0o600 });

/** A server that answers so, and what it was asked. */
async function recording(answer: object, status = 200) {
  const asked: (readonly [line: string, body: unknown])[] = [];
  const url = await scriptedServer((request, response) => {
    void request
      .setEncoding("utf8")
      .toArray()
      .then((pieces) => {
        const text = pieces.join("");
        asked.push([
          `${String(request.method)} ${String(request.url)}`,
          text === "" ? null : JSON.parse(text),
        ]);
        const code = request.method === "POST" ? status : 200;
        const said = request.method === "GET" && answer === INTEGRATION ? SHOWN : answer;
        response.writeHead(code, { "content-type": "application/json" }).end(JSON.stringify(said));
      });
  });
  const run = (...words: string[]) => runCaptured(["integrations", ...words, "--url", url]);
  return { asked, run };
}

// proves INTG-11
describe("svc-cli integrations", () => {
  it("lists and shows them, with how they fare", async () => {
    const listed = await (await recording({ integrations: [INTEGRATION], next_cursor: null })).run("list");
    expect([listed.exitCode, listed.out]).toEqual([0, expect.stringContaining(INTEGRATION.id) as string]);
    const failing = { ...SHOWN.health, state: "failing", last_error: "the receiver answered 503" };
    const shown = await (await recording({ ...SHOWN, health: failing })).run("show", INTEGRATION.id);
    expect([shown.exitCode, shown.out]).toEqual([0, expect.stringContaining("answered 503") as string]);
  });

  it("says whether a test works, and fails when it does not", async () => {
    const good = await (await recording(TESTED)).run("test", INTEGRATION.id);
    expect([good.exitCode, good.out]).toEqual([0, expect.stringContaining("answered 200") as string]);
    const fault = "the receiver answered 403 (SignatureDoesNotMatch)";
    const bad = await (await recording({ ...TESTED, succeeded: false, fault })).run("test", INTEGRATION.id);
    expect([bad.exitCode, bad.out]).toEqual([1, expect.stringContaining(fault) as string]);
  });

  it("makes one with the secret in a file, which it does not print, changes and removes it", async () => {
    const { asked, run } = await recording(INTEGRATION, 201);
    const url = "https://siem.example.com/raw";
    // The address of the integration has a name of its own beside that of the server.
    const words = ["add", "siem_http", "--name", "SIEM", "--to", url, "--secret-file", secret];
    const added = await run(...words);
    expect([added.exitCode, added.out]).toEqual([0, expect.stringContaining("created") as string]);
    expect(added.out).not.toContain("k3v7");
    expect((await run("update", INTEGRATION.id, "--disable")).exitCode).toBe(0);
    expect((await run("remove", INTEGRATION.id)).exitCode).toBe(0);
    expect(asked).toEqual([
      ["POST /api/v1/integrations", { kind: "siem_http", name: "SIEM", url, authorization: "Bearer k3v7" }],
      [`GET ${PATH}`, null],
      [`PATCH ${PATH}`, { enabled: false }],
      [`DELETE ${PATH}`, null],
    ]);
  });

  it("changes nothing in a dry run, and refuses what does not fit together", async () => {
    const { asked, run } = await recording(INTEGRATION);
    const dry = await run("add", "syslog", "--name", "s", "--host", "syslog.example.com", "--dry-run");
    expect([dry.exitCode, asked]).toEqual([0, []]);
    const both = await run("update", INTEGRATION.id, "--enable", "--disable");
    expect(both.exitCode).toBe(2);
    expect((await run("add", "syslog", "--name", "s", "--secret-file", secret)).exitCode).toBe(2);
    expect((await run("add", "syslog")).exitCode).toBe(2);
  });
});
