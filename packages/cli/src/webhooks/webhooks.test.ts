import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { webhookDeliveryRoutes } from "@svc/api/webhook-delivery-routes";
import { webhookRoutes } from "@svc/api/webhook-routes";
import type { JsonObject } from "@svc/text/json-value";
import { describe, expect, it } from "vitest";
import { runCaptured } from "../testing/run-captured.ts";
import { scriptedServer } from "../testing/scripted-server.suite.ts";

const WEBHOOK = webhookRoutes.getWebhook.answers[200].example;
const ISSUED = { ...webhookRoutes.createWebhook.answers[201].example, secret: "whsec_c2VjcmV0" };
const TESTED = webhookDeliveryRoutes.testWebhook.answers[200].example;
const DELIVERY = webhookDeliveryRoutes.listWebhookDeliveries.answers[200].example.deliveries[0];

/** A server that answers so, in turn, and what it was asked. */
async function answering(...answers: readonly (readonly [status: number, body: unknown])[]) {
  const asked: { readonly line: string; readonly body: unknown }[] = [];
  const url = await scriptedServer((request, response) => {
    void request
      .setEncoding("utf8")
      .toArray()
      .then((pieces) => {
        const text = pieces.join("");
        const body: unknown = text === "" ? null : JSON.parse(text);
        const [status, answer] = answers[Math.min(asked.length, answers.length - 1)] ?? [500, {}];
        asked.push({ line: `${String(request.method)} ${String(request.url)}`, body });
        response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(answer));
      });
  });
  const run = (...words: string[]) => runCaptured(["webhooks", ...words, "--url", url]);
  return { asked, run };
}

describe("svc-cli webhooks", () => {
  it("registers an address with its options, and shows the secret this once", async () => {
    const { asked, run } = await answering([201, ISSUED]);
    const { exitCode, out } = await run(
      "add",
      WEBHOOK.url,
      "--events",
      "policy.decision",
      "--decisions",
      "deny",
    );
    expect([exitCode, out]).toEqual([0, expect.stringContaining("whsec_c2VjcmV0 (shown this once)")]);
    const body = expect.objectContaining({ events: ["policy.decision"], decisions: ["deny"], enabled: true });
    expect(asked).toEqual([{ line: "POST /api/v1/webhooks", body }]);
  });

  it("has the server judge what a dry run would register", async () => {
    const { asked, run } = await answering([200, webhookRoutes.createWebhook.answers[200].example]);
    const { exitCode, out } = await run("add", WEBHOOK.url, "--namespaces", "prod", "--dry-run");
    expect([exitCode, out]).toEqual([0, expect.stringContaining(`dry run  nothing was changed`)]);
    const body = expect.objectContaining({ url: WEBHOOK.url, namespaces: ["prod"] });
    expect(asked).toEqual([{ line: "POST /api/v1/webhooks?dry_run=true", body }]);
  });

  it("counts what a dry run would send again, page by page", async () => {
    const tried = { dry_run: true, queued: 2 };
    const { asked, run } = await answering(
      [200, { ...tried, next_cursor: "c1" }],
      [200, { ...tried, next_cursor: null }],
    );
    const { exitCode, out } = await run("resend", "w", "--since", "1h", "--dry-run", "-o", "json");
    expect([exitCode, JSON.parse(out)]).toMatchObject([0, { dry_run: true, queued: 4 }]);
    const line = "POST /api/v1/webhooks/w/replay?dry_run=true";
    expect(asked.map((one) => one.line)).toEqual([line, line]);
  });

  it("says how to get a secret whose answer was lost", async () => {
    const { secret: _, ...rest } = ISSUED;
    const { run } = await answering([201, { ...rest, kind: "repeated", detail: "shown before" }]);
    const { exitCode, error } = await run("add", WEBHOOK.url);
    expect([exitCode, error]).toEqual([
      3,
      expect.stringContaining(`rotate-secret ${WEBHOOK.id} --overlap 0s`),
    ]);
  });

  it.each(["0s", "0"])(
    "gives another secret at once with --overlap %s, in a file that is new",
    async (none) => {
      const { asked, run } = await answering([200, ISSUED]);
      const out = join(mkdtempSync(join(tmpdir(), "svc-webhooks-")), "next.secret");
      const rotate = () => run("rotate-secret", "w", "--overlap", none, "--out", out);
      expect(await rotate()).toMatchObject({ exitCode: 0 });
      expect(asked).toMatchObject([{ body: { overlap_seconds: 0 } }]);
      expect(await rotate()).toMatchObject({
        exitCode: 2,
        error: expect.stringContaining("is there already"),
      });
      expect([asked.length, readFileSync(out, "utf8")]).toEqual([1, "whsec_c2VjcmV0\n"]);
    },
  );

  it.each<[words: readonly string[], line: string, body: JsonObject | null]>([
    [["list"], "GET /api/v1/webhooks?limit=200", null],
    [["show", "w"], "GET /api/v1/webhooks/w", null],
    [["disable", "w"], "PATCH /api/v1/webhooks/w", { enabled: false }],
    [["remove", "w"], "DELETE /api/v1/webhooks/w", null],
    [["remove", "w", "--dry-run"], "GET /api/v1/webhooks/w", null],
  ])("asks for %j with %s", async (words, line, body) => {
    const isList = words[0] === "list";
    const { asked, run } = await answering([
      200,
      isList ? { webhooks: [WEBHOOK], next_cursor: null } : WEBHOOK,
    ]);
    const { exitCode, out } = await run(...words);
    expect([exitCode, asked]).toEqual([0, [{ line, body }]]);
    expect(out).toContain(WEBHOOK.url);
  });

  it("fails when a receiver does not take the sample", async () => {
    const refused = { ...TESTED, delivered: false, response_status: 500, fault: "the receiver answered 500" };
    const { run } = await answering([200, refused]);
    expect(await run("test", "w")).toMatchObject({
      exitCode: 1,
      out: expect.stringContaining("the receiver answered 500"),
    });
  });

  it("lists deliveries, and delivers a time again page by page to an end that does not move", async () => {
    const { run } = await answering([200, { deliveries: [DELIVERY], next_cursor: "more" }]);
    expect((await run("deliveries", "w", "--status", "failed")).out).toContain("the receiver answered 503");
    const { asked, run: resend } = await answering(
      [202, { queued: 2, next_cursor: "c1" }],
      [202, { queued: 1, next_cursor: null }],
    );
    const { exitCode, out } = await resend("resend", "w", "--since", "1h");
    expect([exitCode, out]).toEqual([0, expect.stringContaining("3 deliveries are sent again")]);
    const [first, second] = asked.map(({ body }) => body as JsonObject);
    expect(second).toEqual({ ...first, cursor: "c1" });
  });
});
