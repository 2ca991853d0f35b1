import { expect, it } from "vitest";
import { createPolicy, execute } from "./support/api.ts";
import { sendBytes, sendRaw } from "./support/raw-http.ts";
import { serverOfTest } from "./support/server-process.ts";

const POLICY = `id: asks
agent_id: agent-1
tools: { allowed: ["payments.*"] }
rules:
  - { id: ask, priority: 1, match: { tool: payments.refund }, action: require_approval }
`;

// proves APR-20
it.each([
  {
    accept: "text/html,application/xhtml+xml,*/*;q=0.8",
    type: "text/html; charset=utf-8",
    begins: "<!doctype html>",
  },
  { accept: "*/*", type: "text/html; charset=utf-8", begins: "<!doctype html>" },
  { accept: "text/plain", type: "text/plain; charset=utf-8", begins: "This call is paused" },
  {
    accept: "application/json",
    type: "application/json",
    begins: '{"status":"paused","can_be_approved":false',
  },
])("A5: the approval_url of a pause leads to a page that says what can be done: $accept", async (wanted) => {
  const server = await serverOfTest({ env: { SVC_PUBLIC_URL: "https://svc.example" } });
  expect((await createPolicy(server.url, POLICY)).status).toBe(201);
  const { body } = await execute(server.url);
  expect(body["decision"]).toBe("pause");
  const { pathname, origin } = new URL(String(body["approval_url"]));
  expect([origin, pathname]).toEqual(["https://svc.example", expect.stringMatching(/^\/approvals\/\w+/)]);
  const page = await fetch(`${server.url}${pathname}`, { headers: { accept: wanted.accept } });
  expect([page.status, page.headers.get("content-type")]).toEqual([200, wanted.type]);
  expect(page.headers.get("content-security-policy")).toMatch(
    /^default-src 'none';.* frame-ancestors 'none'/,
  );
  const text = await page.text();
  expect(text.startsWith(wanted.begins)).toBe(true);
  expect(text).toContain("cannot approve calls yet");
  expect(text).toContain("change the policy");
  // It repeats nothing of the address.
  expect(text).not.toContain(pathname.split("/").at(-1));
});

// proves APR-20
it("A1: says the same for every id, without credentials, and takes nothing but GET and HEAD", async () => {
  const server = await serverOfTest({ env: { SVC_AUTH: "on" } });
  const page = await fetch(`${server.url}/approvals/apr_of_nobody`);
  expect(page.status).toBe(200);
  expect((await fetch(`${server.url}/approvals/apr_of_nobody`, { method: "HEAD" })).status).toBe(200);
  for (const method of ["POST", "PUT", "DELETE"])
    expect((await fetch(`${server.url}/approvals/apr_of_nobody`, { method })).status).toBe(405);
  for (const target of [
    "/approvals",
    "/approvals/",
    "/approvals/a/b",
    "/approvals/%3Cscript%3E",
    "/approvals/a?x=1",
  ]) {
    const { status } = await sendRaw(server.port, { method: "GET", target });
    expect([target, status >= 400]).toEqual([target, true]);
  }
});

it("M12: is not shown to a page that uses DNS rebinding while authentication is off", async () => {
  const server = await serverOfTest();
  const bytes = ["GET /approvals/apr_1 HTTP/1.1", "Host: evil.example", "Connection: close", "", ""];
  expect((await sendBytes(server.port, bytes.join("\r\n"))).status).toBe(403);
});
