// long: approves and denies through the page in every state of an approval
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LARGEST } from "../../support/requests/largest-arguments.ts";
import { sendBytes, sendRaw } from "../../support/requests/raw-http.ts";
import { BOOTSTRAP_ENV, issueKey } from "../../support/server/api-keys.ts";
import {
  type ApprovalServer,
  approvalServer,
  FormClient,
  type PausedCall,
  startApprovalServer,
  tokenIn,
} from "../../support/server/approval-page.ts";
import { serverOfTest } from "../../support/server/server-process.ts";

/** Calls of ordinary size, as count: the tests that share a server use fewer. */
const ORDINARY = 10;

/** A letter of another alphabet, a character that turns the direction of text, and ordinary text. */
const NOTE = "раyment \u202e evil";

describe("the page of an approval", () => {
  let server: ApprovalServer;
  let left: PausedCall[];

  /** Calls that no test before has used. */
  const take = (count: number): readonly PausedCall[] => left.splice(0, count);

  beforeAll(async () => {
    const ordinary = Array.from({ length: ORDINARY }, () => ({ amount: 10, note: NOTE }));
    server = await startApprovalServer([...LARGEST.map(([, args]) => args), ...ordinary]);
    left = server.paused.slice(LARGEST.length);
  });
  afterAll(() => server.stop("SIGKILL"));

  // proves APR-20, APR-40
  it("A1: shows nothing without a login, the same for every id; GET and HEAD decide nothing", async () => {
    const [asked] = take(1) as [PausedCall];
    const pages = await Promise.all(
      [asked.path, "/approvals/apr_of_nobody"].map((path) => new FormClient(server.url).get(path)),
    );
    const [known, unknown] = pages.map(({ text }) => text.replace(/value="[0-9a-f]{64}"/, ""));
    expect(known).toBe(unknown);
    expect(known).not.toContain("payments.refund");
    expect(pages[0]?.headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; base-uri 'none'; frame-anc/,
    );
    expect(Object.fromEntries(pages[0]?.headers ?? [])).toMatchObject({
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "set-cookie": expect.stringMatching(/; Path=\/; HttpOnly; SameSite=Lax; Max-Age=900$/),
    });
    const client = new FormClient(server.url);
    await client.signIn(asked.path, server.approverKey);
    for (const method of ["GET", "HEAD"]) expect((await client.get(asked.path, method)).status).toBe(200);
    expect(await server.statusOf(asked)).toBe("pending");
    for (const method of ["PUT", "DELETE"])
      expect((await fetch(`${server.url}${asked.path}`, { method })).status).toBe(405);
    for (const target of ["/approvals/", "/approvals/a/b", "/approvals/%3Cs", "/approvals/a?x=1"]) {
      const { status } = await sendRaw(server.port, { method: "GET", target });
      expect([target, status >= 400]).toEqual([target, true]);
    }
  });

  // proves APR-20
  it("reads a short form only before the login, and refuses a form that is not UTF-8", async () => {
    const [asked] = take(1) as [PausedCall];
    const url = `${server.url}${asked.path}`;
    const type = { "content-type": "application/x-www-form-urlencoded" };
    const send = async (body: string, cookie = "") =>
      (await fetch(url, { method: "POST", body, headers: { ...type, cookie }, redirect: "manual" })).status;
    expect(await send(`action=login&key=${"k".repeat(20_000)}`)).toBe(413);
    const client = new FormClient(server.url);
    await client.signIn(asked.path, server.approverKey);
    const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const token = /name="token" value="([0-9a-f]+)"/.exec((await client.get(asked.path)).text)?.[1] ?? "";
    for (const reason of ["%FF", "%C3x", "%"])
      expect(await send(`action=approve&token=${token}&reason=${reason}`, cookie)).toBe(400);
    expect(await server.statusOf(asked)).toBe("pending");
    expect(await send(`action=approve&token=${token}&reason=%C3%BC+ok`, cookie)).toBe(303);
  });

  // proves APR-41
  it("shows who asks for what and why, and approves", async () => {
    const [asked] = take(1) as [PausedCall];
    const client = new FormClient(server.url);
    expect((await client.signIn(asked.path, server.approverKey)).status).toBe(303);
    const { text } = await client.get(asked.path);
    for (const shown of [
      "agent-1",
      "s-1",
      "payments.refund",
      "args.amount is more than 5",
      "asks, version 1",
    ])
      expect(text).toContain(shown);
    expect(text).toContain("[U+202E]");
    expect(text).toContain("а<b>[U+0430]</b>");
    expect(text).not.toContain(server.approverKey);
    const done = await client.post(asked.path, { action: "approve", reason: "fine" });
    expect([done.status, done.headers.get("location")]).toEqual([303, asked.path]);
    expect((await client.get(asked.path)).text).toContain("It is approved");
    expect(await server.statusOf(asked)).toBe("approved");
    const again = await client.post(asked.path, {
      action: "deny",
      reason: "too late",
      token: "0".repeat(64),
    });
    expect(again.status).toBe(403);
  });

  // proves APR-42
  it("approves edited arguments, drops no edit, and shows what a race left", async () => {
    const [asked] = take(1) as [PausedCall];
    const client = new FormClient(server.url);
    await client.signIn(asked.path, server.approverKey);
    const dropped = await client.post(asked.path, { action: "approve", reason: "r", args: '{"amount":7}' });
    expect([dropped.status, dropped.text.includes("Nothing was done")]).toEqual([400, true]);
    expect((await client.post(asked.path, { action: "deny", reason: " " })).status).toBe(400);
    expect(
      (await client.post(asked.path, { action: "approve_edited", reason: "r", args: "[]" })).status,
    ).toBe(400);
    expect(await server.statusOf(asked)).toBe("pending");
    const edited = { action: "approve_edited", reason: "less", args: '{"amount":7}' };
    const token = tokenIn((await client.get(asked.path)).text);
    const both = await Promise.all([1, 2].map(() => client.post(asked.path, { ...edited, token })));
    expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([303, 409]);
    expect(both.find(({ status }) => status === 409)?.text).toContain("This approval is approved");
    const { body } = await server.operator("GET", `approvals/${asked.id}`);
    expect(body["edited_args"]).toEqual({ amount: 7 });
  });

  // proves APR-42
  it("approves the largest call of every shape, as asked or as edited, sent back as shown", async () => {
    const paused = server.paused.slice(0, LARGEST.length);
    const client = new FormClient(server.url);
    await client.signIn(paused[0]?.path ?? "", server.approverKey);
    for (const [at, asked] of paused.entries()) {
      const [name, , isTooLong] = LARGEST[at] as (typeof LARGEST)[number];
      const { text } = await client.get(asked.path);
      const shown = editorIn(text);
      expect([name, shown === null, text.includes("too long for this page")]).toEqual([
        name,
        isTooLong,
        isTooLong,
      ]);
      const action = at % 2 === 0 || isTooLong ? "approve" : "approve_edited";
      // A browser ends lines with two characters.
      const args = shown === null ? {} : { args: shown.replaceAll("\n", "\r\n") };
      const done = await client.post(asked.path, { action, reason: "é".repeat(1_000), ...args });
      expect([name, action, done.status]).toEqual([name, action, 303]);
    }
  }, 60_000);

  // proves APR-42
  it("says what is too long: a form, or an edit that is sent after the login has ended", async () => {
    const [asked] = take(1) as [PausedCall];
    const edit = (length: number) => ({
      action: "approve_edited",
      reason: "r",
      args: JSON.stringify({ amount: 7, note: "x".repeat(length) }),
    });
    const late = await new FormClient(server.url).post(asked.path, edit(20_000));
    expect([late.status, late.text.includes("the login has ended and nothing was done")]).toEqual([
      413,
      true,
    ]);
    const client = new FormClient(server.url);
    await client.signIn(asked.path, server.approverKey);
    const long = await client.post(asked.path, edit(1_100_000));
    expect([long.status, long.text.includes("too long for this page: expected")]).toEqual([413, true]);
    const call = await client.post(asked.path, edit(300_000));
    expect([call.status, call.text.includes("args: expected at most 262144 bytes")]).toEqual([413, true]);
    expect(await server.statusOf(asked)).toBe("pending");
  });

  // proves APR-43
  it("U2: takes no form of another site, login or approval, and none without its token", async () => {
    const [asked, other] = take(2) as [PausedCall, PausedCall];
    const client = new FormClient(server.url);
    await client.signIn(asked.path, server.approverKey);
    const deny = { action: "deny", reason: "r" };
    const theirs = tokenIn((await client.get(other.path)).text);
    const token = tokenIn((await client.get(asked.path)).text);
    const sent = await Promise.all([
      client.post(asked.path, { ...deny, token }, { origin: "https://evil.example" }),
      client.post(asked.path, { ...deny, token }, { "sec-fetch-site": "cross-site" }),
      client.post(asked.path, { ...deny, token: theirs }),
      client.post(asked.path, { ...deny, token: "0".repeat(64) }),
      new FormClient(server.url).post(asked.path, { ...deny, token }),
    ]);
    expect(sent.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
    const stranger = new FormClient(server.url);
    const unbound = await stranger.post(asked.path, { action: "login", key: server.approverKey, token });
    expect([unbound.status, stranger.cookies.has("svc_approver")]).toEqual([403, false]);
    expect(await server.statusOf(asked)).toBe("pending");
  });

  // proves APR-44
  it("A3: lets nobody decide whose key may not, and shows a foreign approval as an unknown one", async () => {
    const [asked] = take(1) as [PausedCall];
    const { operator } = server;
    const as = async (body: Readonly<Record<string, unknown>>) => {
      const client = new FormClient(server.url);
      const made = await issueKey(operator, body);
      return { client, id: made.id, login: await client.signIn(asked.path, made.key) };
    };
    expect((await as({ role: "agent" })).login.status).toBe(403);
    const reader = await as({ role: "auditor" });
    expect((await reader.client.get(asked.path)).text).toContain("may read approvals, but not decide");
    expect((await reader.client.post(asked.path, { action: "deny", reason: "r" })).status).toBe(403);
    const foreign = await as({ role: "admin", org_id: "another" });
    const bound = await as({ role: "approver", agents: ["agent-9"] });
    for (const { client } of [foreign, bound]) {
      const theirs = await client.get(asked.path);
      const none = await client.get("/approvals/apr_of_nobody");
      const plain = (text: string) => text.replaceAll(/value="[0-9a-f]{64}"/g, "");
      expect([theirs.status, plain(theirs.text)]).toEqual([404, plain(none.text)]);
    }
    const mine = await as({ role: "approver" });
    expect((await mine.client.get(asked.path)).status).toBe(200);
    await operator("DELETE", `keys/${mine.id}`);
    expect((await mine.client.get(asked.path)).text).toContain("Sign in to see the approval");
    expect(await server.statusOf(asked)).toBe("pending");
  });
});

describe("the page of an approval, on a server of its own", () => {
  // proves APR-77
  it("is named by a page at /, and no line says that this was refused", async () => {
    const server = await serverOfTest();
    const approval = await fetch(`${server.url}/approvals/apr_1`);
    const answer = await fetch(`${server.url}/`);
    expect(answer.status).toBe(200);
    for (const name of ["content-type", "content-security-policy", "x-frame-options", "cache-control"])
      expect([name, answer.headers.get(name)]).toEqual([name, approval.headers.get(name)]);
    const text = await answer.text();
    expect(text).toContain('<a href="/approvals">Sign in to see approvals</a>');
    expect(text).toContain('<a href="/docs">/docs</a>');
    expect(text).not.toMatch(/<script|<form/);
    expect((await fetch(`${server.url}/`, { method: "POST" })).status).toBe(405);
    expect((await fetch(`${server.url}/favicon.ico`)).status).toBe(204);
    // A later line shows that the log has been read.
    expect((await fetch(`${server.url}/nowhere`)).status).toBe(401);
    await expect.poll(() => server.output()).toMatch(/"path":"[^,]*nowhere/);
    expect(server.output().match(/a request was refused/g)).toHaveLength(1);
  });

  // proves APR-77
  it("has a list of those that wait, for who has signed in, in which nothing can be decided", async () => {
    const server = await approvalServer([{ amount: 10 }, { amount: 11 }]);
    const [first, second] = server.paused as [PausedCall, PausedCall];
    const client = new FormClient(server.url);
    const before = await client.get("/approvals");
    expect([before.status, before.text.includes(first.id)]).toEqual([200, false]);
    const signedIn = await client.signIn("/approvals", server.approverKey);
    expect([signedIn.status, signedIn.headers.get("location")]).toEqual([303, "/approvals"]);
    const { text } = await client.get("/approvals");
    for (const { path } of [first, second])
      expect(text).toContain(`<a href="${path}">agent-1: payments.refund`);
    await client.post("/approvals", { action: "approve", reason: "fine" });
    expect(await server.statusOf(first)).toBe("pending");
    await client.post(first.path, { action: "deny", reason: "no" });
    const left = await client.get("/approvals");
    expect([left.text.includes(first.path), left.text.includes(second.path)]).toEqual([false, true]);
    expect((await client.post("/approvals", { action: "logout" })).status).toBe(303);
    expect((await client.get("/approvals")).text).not.toContain(second.path);
  });

  // proves APR-45
  it("K2: keeps the key out of addresses, logs and pages, and limits guesses", async () => {
    const server = await approvalServer();
    const [asked] = server.paused as [PausedCall];
    const client = new FormClient(server.url);
    await client.signIn(asked.path, server.approverKey);
    await client.signIn(asked.path, `${server.approverKey}x`);
    const secret = server.approverKey.split("_")[2] ?? "";
    expect(server.lines.join("\n")).not.toContain(secret);
    const token = tokenIn((await new FormClient(server.url).get(asked.path)).text);
    expect(token).not.toBe("");
    const guesser = new FormClient(server.url);
    const guess = tokenIn((await guesser.get(asked.path)).text);
    const statuses = new Set<number>();
    for (let count = 0; count < 260; count += 1) {
      const key = `svc_abcd_${"x".repeat(43)}`;
      statuses.add((await guesser.post(asked.path, { action: "login", key, token: guess })).status);
    }
    expect(statuses).toEqual(new Set([401, 429]));
  }, 30_000);

  it("works without a login while authentication is off, and says so", async () => {
    const server = await approvalServer([{ amount: 10 }], { SVC_AUTH: "off" });
    const [{ path }] = server.paused as [PausedCall];
    const client = new FormClient(server.url);
    expect((await client.get(path)).text).toContain("Authentication is off on this server");
    expect((await client.post(path, { action: "deny", reason: "no" })).status).toBe(303);
    expect((await client.get(path)).text).toContain("It is denied");
  });

  it("M12: is not shown to a page that uses DNS rebinding while authentication is off", async () => {
    const server = await serverOfTest({ authentication: "off" });
    const bytes = ["GET /approvals/apr_1 HTTP/1.1", "Host: evil.example", "Connection: close", "", ""];
    expect((await sendBytes(server.port, bytes.join("\r\n"))).status).toBe(403);
  });

  it("sets cookies for TLS alone where browsers come by https", async () => {
    const server = await serverOfTest({ env: { ...BOOTSTRAP_ENV, SVC_PUBLIC_URL: "https://svc.example" } });
    const page = await new FormClient(server.url).get("/approvals/apr_1");
    expect(page.headers.get("set-cookie")).toMatch(/^__Host-svc_visit=.*; Secure/);
  });
});

/** What the text area of the page holds, as a browser reads it; null without one. */
function editorIn(page: string): string | null {
  const written = /<textarea id="args"[^>]*>\n([^<]*)<\/textarea>/.exec(page)?.[1];
  if (written === undefined) return null;
  const characters: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', "#39": "'", amp: "&" };
  return written.replaceAll(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => characters[name] ?? "");
}
