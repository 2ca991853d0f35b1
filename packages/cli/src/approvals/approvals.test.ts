import type { RequestListener } from "node:http";
import { approvalRoutes } from "@svc/api/approval-routes";
import { problem } from "@svc/contract/problem";
import { describe, expect, it } from "vitest";
import { runCaptured } from "../testing/run-captured.ts";
import { addressWithoutServer, answersByPath, scriptedServer } from "../testing/scripted-server.suite.ts";

const APPROVAL = approvalRoutes.getApproval.answers[200].example;
const DENIED = approvalRoutes.denyApproval.answers[200].example;
const ITEM = approvalRoutes.listApprovals.answers[200].example.approvals[0];
const HOSTILE = { tool: "\u202epay\u009b31m", reason: "\u001b[2J\nstatus   approved" };
const ID = APPROVAL.id;

const withoutLayout = (text: string) => text.replace(/[\n\t]/g, "");

/** Refuses changes with this problem, and answers that the approval is this. */
const refusing =
  (refusal: ReturnType<typeof problem>, approval: object): RequestListener =>
  (request, response) => {
    if (request.method === "GET") answersByPath({ [`/approvals/${ID}`]: approval })(request, response);
    else
      response
        .writeHead(refusal.status, { "content-type": "application/problem+json" })
        .end(JSON.stringify(refusal));
  };

const approve = (url: string, ...more: readonly string[]) =>
  runCaptured(["approvals", "approve", ID, "--reason", "r", "--url", url, ...more]);

describe("svc-cli approvals show", () => {
  // proves CLI-55
  it("shows who, what, by which rule and until when, and no control character of it", async () => {
    const hostile = { ...APPROVAL, ...HOSTILE };
    const url = await scriptedServer(answersByPath({ [`/approvals/${ID}`]: hostile }));
    const { exitCode, out } = await runCaptured(["approvals", "show", ID, "--url", url]);
    expect(exitCode).toBe(0);
    for (const part of [
      "payments-agent",
      "s-1",
      '"amount": 900',
      "large-refunds",
      "policy refunds version 3",
    ])
      expect(out).toContain(part);
    expect(withoutLayout(out)).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(out.match(/^status/gm)).toHaveLength(1);
  });

  it("says that values are masked", async () => {
    const url = await scriptedServer(
      answersByPath({ [`/approvals/${ID}`]: { ...APPROVAL, args_masked: true } }),
    );
    const { out } = await runCaptured(["approvals", "show", ID, "--url", url]);
    expect(out).toContain("an approval approves them unseen");
  });
});

describe("svc-cli approvals list", () => {
  // proves CLI-55
  it("reads 10,000 approvals page by page", async () => {
    const url = await scriptedServer((request, response) => {
      const cursor = Number(new URL(request.url ?? "", "http://any").searchParams.get("cursor") ?? "0");
      const approvals = Array.from({ length: 200 }, (_, at) => ({
        ...ITEM,
        id: `apr_${String(cursor + at)}`,
      }));
      const next_cursor = cursor + 200 < 10_000 ? String(cursor + 200) : null;
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify({ approvals, next_cursor }));
    });
    const { exitCode, out } = await runCaptured([
      "approvals",
      "list",
      "--status",
      "pending",
      "--url",
      url,
      "-o",
      "ndjson",
    ]);
    expect([exitCode, out.trim().split("\n").length]).toEqual([0, 10_000]);
  });

  // proves APR-93
  it("names for each grant until when calls can use it, or when one did", async () => {
    const at = "2126-11-22T10:05:00.000Z";
    const grant = { expires_at: at, uses: 0, used_by: null, used_at: null, revoked: null };
    const given = { ...ITEM, status: "approved", resolved_at: at, resolved_by: "k", resolution: "ok" };
    const used = { ...grant, uses: 1, used_by: "gw_1.2", used_at: "2126-11-22T09:30:00.000Z" };
    const shared = { covers: ["args.to"], max_uses: 20, scope: "agent" };
    const approvals = [
      { ...ITEM, id: "apr_a" },
      { ...given, id: "apr_b", grant },
      { ...given, id: "apr_c", grant: used },
      { ...given, ...shared, id: "apr_d", grant: { ...grant, uses: 3 } },
      { ...given, id: "apr_e", grant: { ...grant, revoked: { at, by: "k", reason: "no" } } },
    ];
    const asked: string[] = [];
    const url = await scriptedServer((request, response) => {
      const status = new URL(request.url ?? "", "http://any").searchParams.get("status") ?? "all";
      asked.push(status);
      const page = { approvals: status === "usable" ? approvals : [], next_cursor: null };
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(page));
    });
    const { exitCode, out } = await runCaptured(["approvals", "list", "--url", url]);
    expect([exitCode, asked]).toEqual([0, ["pending", "suspended", "usable"]]);
    const lineOf = (id: string) => out.split("\n").find((line) => line.startsWith(id)) ?? "";
    expect(lineOf("apr_b")).toContain(`usable until ${at}`);
    expect(lineOf("apr_c")).toContain("used at 2126-11-22T09:30:00.000Z");
    expect(lineOf("apr_d")).toMatch(/\tany\t.*3 of 20 calls made, usable until 2126/);
    expect(lineOf("apr_e")).toContain(`revoked at ${at}`);
  });

  it("says that there is none", async () => {
    const url = await scriptedServer(answersByPath({ "/approvals": { approvals: [], next_cursor: null } }));
    expect(await runCaptured(["approvals", "list", "--url", url])).toMatchObject({
      exitCode: 0,
      out: "no open approvals\n",
    });
  });
});

describe("svc-cli approvals approve", () => {
  // proves APR-90
  it("says for which calls the approval holds, and how to take it back", async () => {
    const approved = approvalRoutes.approveCall.answers[200].example;
    const url = await scriptedServer(
      answersByPath({ [`/approvals/${ID}/approve`]: approved, "/audit": { rows: [], next_cursor: null } }),
    );
    const { exitCode, out } = await approve(url);
    expect(exitCode).toBe(0);
    expect(out).toMatch(/^holds for +this call in session s-1, until 2026-11-22T10:05:00.000Z$/m);
    expect(out).toMatch(/^undo +svc-cli approvals revoke apr_/m);
  });

  // proves CLI-57
  it("says what the approval is now when it cannot be approved any more, and fails", async () => {
    const url = await scriptedServer(refusing(problem("conflict", "it was denied"), DENIED));
    const { exitCode, out } = await approve(url);
    expect(exitCode).toBe(1);
    expect(out).toContain(`not approved  ${ID} is denied at 2026-11-22T09:05:00.000Z by 3f9c1e2a7b4d`);
    const json = await approve(url, "-o", "json");
    expect(json.exitCode).toBe(1);
    expect(JSON.parse(json.out)).toMatchObject({ changed: false, approval: { status: "denied" } });
  });

  // proves CLI-57
  it("says whether something may have changed when no answer came", async () => {
    const cut = await scriptedServer((request) => request.socket.destroy());
    expect(await approve(cut)).toMatchObject({
      exitCode: 3,
      out: "",
      error: expect.stringContaining("It is not known whether this was done") as string,
    });
    expect(await approve(await addressWithoutServer())).toMatchObject({
      exitCode: 3,
      error: expect.stringContaining("Nothing was changed: the control plane") as string,
    });
  }, 30_000);

  // proves CLI-57
  it.each<[string, readonly string[], string]>([
    ["text", ["--edit-args", "450"], "--edit-args: expected all arguments of the call as a JSON object"],
    ["JSON that is not strict", ["--edit-args", '{"a":1,"a":2}'], "--edit-args:1:8: not strict JSON"],
    ["a file that is missing", ["--edit-args", "@nothing.json"], "nothing.json: expected arguments in JSON"],
  ])("refuses %s as arguments", async (_name, args, message) => {
    const { exitCode, out, error } = await approve("http://127.0.0.1:1", ...args);
    expect([exitCode, out]).toEqual([2, ""]);
    expect(error).toContain(message);
  });

  // proves CLI-57
  it("needs a reason, and changes nothing in a dry run", async () => {
    const methods: (string | undefined)[] = [];
    const url = await scriptedServer((request, response) => {
      methods.push(request.method);
      answersByPath({ [`/approvals/${ID}`]: APPROVAL })(request, response);
    });
    const dry = await approve(url, "--dry-run", "--edit-args", "@-");
    expect(dry.exitCode).toBe(2);
    const shown = await approve(url, "--dry-run", "--edit-args", '{"amount":1}');
    expect(shown).toMatchObject({ exitCode: 0 });
    expect(shown.out).toContain('with arguments {"amount":1}');
    expect(methods).toEqual(["GET"]);
    const missing = await runCaptured(["approvals", "deny", ID, "--url", url]);
    expect(missing).toMatchObject({ exitCode: 2, out: "" });
    expect(missing.error).toContain("--reason: expected why");
  });
});
