import { alertRoutes } from "@svc/api/alert-routes";
import { describe, expect, it } from "vitest";
import { runCaptured } from "../testing/run-captured.ts";
import { scriptedServer } from "../testing/scripted-server.suite.ts";

const OPEN = alertRoutes.getAlert.answers[200].example;
const ACKNOWLEDGED = alertRoutes.acknowledgeAlert.answers[200].example;

/** A server that answers each request with one of two alerts, and what it was asked. */
async function server() {
  const asked: string[] = [];
  const url = await scriptedServer((request, response) => {
    let sent = "";
    request.on("data", (piece: Buffer) => (sent += String(piece)));
    request.on("end", () => {
      const path = request.url ?? "";
      asked.push(`${String(request.method)} ${path} ${sent}`.trim());
      const one = path.includes("status=open") || request.method === "GET" ? OPEN : ACKNOWLEDGED;
      const list = { alerts: [path.includes("acknowledged") ? ACKNOWLEDGED : one], next_cursor: null };
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(path.includes("/alerts?") ? list : one));
    });
  });
  return { url, asked };
}

// proves ALERT-08
describe("svc-cli alerts", () => {
  it("lists those that are not resolved, the open ones first", async () => {
    const { url, asked } = await server();
    const { exitCode, out } = await runCaptured(["alerts", "list", "--url", url, "-o", "json"]);
    expect(exitCode).toBe(0);
    const { alerts } = JSON.parse(out) as { readonly alerts: readonly { readonly status: string }[] };
    expect(alerts.map(({ status }) => status)).toEqual(["open", "acknowledged"]);
    expect(asked.map((line) => /status=[a-z]+/.exec(line)?.[0])).toEqual([
      "status=open",
      "status=acknowledged",
    ]);
    const table = await runCaptured(["alerts", "list", "--status", "all", "--url", url]);
    expect(table.out).toContain(OPEN.summary);
  });

  it("acknowledges one with a note, and asks for nothing to be changed in a dry run", async () => {
    const { url, asked } = await server();
    const ack = ["alerts", "ack", OPEN.id, "--note", "I look at it.", "--url", url];
    const done = await runCaptured(ack);
    expect([done.exitCode, done.out]).toEqual([0, expect.stringContaining("acknowledged") as string]);
    expect(asked).toEqual([`POST /api/v1/alerts/${OPEN.id}/acknowledge {"note":"I look at it."}`]);
    const dry = await runCaptured([...ack, "--dry-run", "-o", "json"]);
    expect(JSON.parse(dry.out)).toMatchObject({ schema: "svc.cli.alert/v1", status: "open", dry_run: true });
    expect(asked.slice(1)).toEqual([`GET /api/v1/alerts/${OPEN.id}`]);
  });

  it("says who has acknowledged one already, and that another note was not stored", async () => {
    const { url } = await server();
    const again = await runCaptured(["alerts", "ack", OPEN.id, "--note", "I do, too.", "--url", url]);
    const by = `acknowledged by ${ACKNOWLEDGED.acknowledged_by} at ${ACKNOWLEDGED.acknowledged_at}`;
    expect(again).toMatchObject({ exitCode: 1, out: "", error: expect.stringContaining(by) as string });
    expect(again.error).toContain("the note was not stored");
  });
});
