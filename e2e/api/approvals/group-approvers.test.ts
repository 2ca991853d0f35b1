// long: it signs in with a real provider several times

import { findFreePort } from "@svc/process/free-port";
import { expect, it } from "vitest";
import { BOOTSTRAP_ENV, clientOf, issueKey } from "../../support/server/api-keys.ts";
import { approvalServer, tokenIn } from "../../support/server/approval-page.ts";
import { loginKeyOf, startOidcProvider } from "../../support/server/oidc-provider.ts";
import { PlainBrowser } from "../../support/server/plain-browser.ts";

const PEOPLE = {
  ada: { name: "Ada", groups: ["finance", "board"] },
  grace: { name: "Grace", groups: ["finance"] },
};

/** It asks people of the group board. */
const POLICY = `id: board-asks
agent_id: agent-2
tools: { allowed: ["payments.*"] }
rules:
  - id: ask
    priority: 1
    match: { tool: payments.refund }
    action: require_approval
    approval: { workflow: board }
`;

const REFUSED = /The workflow board asks people of the group board; \S+ is in none of them/;

// proves PEO-08
it("people of the group approve on the page and by the API; others are refused with the reason", async () => {
  const provider = await startOidcProvider(PEOPLE);
  const SVC_PUBLIC_URL = `http://127.0.0.1:${String(await findFreePort())}`;
  const listen = { SVC_PUBLIC_URL, SVC_LISTEN: SVC_PUBLIC_URL.replace("http://", "") };
  const server = await approvalServer([], { ...BOOTSTRAP_ENV, ...provider.env, ...listen });
  provider.redirectTo(server.url);
  const { operator } = server;
  const workflow = { json: { id: "board", required: 1, approvers: { groups: ["board"] } } };
  expect((await operator("POST", "approval-workflows", workflow)).status).toBe(201);
  expect((await operator("POST", "policies", { yaml: POLICY })).status).toBe(201);
  const agent = clientOf(server, (await issueKey(operator)).key);
  const pause = async (amount: number): Promise<string> => {
    const json = { agent_id: "agent-2", session_id: "s-1", tool: "payments.refund", args: { amount } };
    const { body } = await agent("POST", "gateway/execute", { json });
    return String(body["approval_url"]);
  };
  const statusOf = async (url: string) =>
    (await operator("GET", `approvals/${url.split("/").at(-1) ?? ""}`)).body["status"];
  const signedIn = async (person: string): Promise<PlainBrowser> => {
    const browser = new PlainBrowser();
    expect((await browser.walk(`${server.url}/login/0`, person)).status).toBe(200);
    return browser;
  };
  const approveOn = async (browser: PlainBrowser, page: string) => {
    const token = tokenIn(await (await browser.open(page)).text());
    return browser.open(page, { action: "approve", reason: "looked at it", token });
  };
  const approveBy = async (key: string, url: string) => {
    const id = url.split("/").at(-1) ?? "";
    return clientOf(server, key)("POST", `approvals/${id}/approve`, { json: { reason: "looked at it" } });
  };

  const [first, second, third] = [await pause(1), await pause(2), await pause(3)];
  const [ada, grace] = [await signedIn("ada"), await signedIn("grace")];
  const refused = await approveOn(grace, first);
  expect([refused.status, await refused.text()]).toEqual([403, expect.stringMatching(REFUSED)]);
  expect(await statusOf(first)).toBe("pending");
  expect((await approveOn(ada, first)).status).toBe(303);
  expect(await statusOf(first)).toBe("approved");

  const graceKey = await loginKeyOf(server.url, "grace");
  const byKey = await approveBy(graceKey, second);
  expect([byKey.status, byKey.body["detail"]]).toEqual([403, expect.stringMatching(REFUSED)]);
  expect((await approveBy(await loginKeyOf(server.url, "ada"), second)).status).toBe(200);

  // A login keeps the groups that the provider named. The next one has those of that time.
  provider.regroup("ada", ["finance"]);
  provider.regroup("grace", ["finance", "board"]);
  const late = await approveOn(await signedIn("ada"), third);
  expect([late.status, await late.text()]).toEqual([403, expect.stringMatching(REFUSED)]);
  expect((await approveOn(await signedIn("grace"), third)).status).toBe(303);
  expect(await statusOf(third)).toBe("approved");
}, 60_000);
