import { Client } from "undici";
import { expect, it, onTestFinished } from "vitest";
import { callOf, createPolicy } from "../../support/server/api.ts";
import { authorizationFor } from "../../support/server/role-keys.ts";
import { serverOfTest } from "../../support/server/server-process.ts";

const EXECUTE = "/api/v1/gateway/execute";
const OUTCOME = "/api/v1/gateway/outcome";
const CALL = JSON.stringify(callOf());
const REPORT = JSON.stringify({ decision_id: "gw_1f0c.7", status: "succeeded" });

const PAGES: readonly Readonly<Record<string, string>>[] = [
  { origin: "https://evil.example" },
  { "sec-fetch-site": "cross-site" },
  { "sec-fetch-site": "same-site" },
];

async function takenByLane(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^svc_http_lane_requests_total (\d+)$/m.exec(text)?.[1] ?? 0);
}

/** Sends requests on a connection of its own, on which the lane has seen nothing else yet. */
function connectionTo(url: string) {
  const client = new Client(url);
  onTestFinished(() => client.destroy());
  return async (path: string, body: string, page: Readonly<Record<string, string>> = {}) => {
    const headers = { ...(await authorizationFor("POST", url + path)), ...page };
    const sent = { path, body, headers: { "content-type": "application/json", ...headers } };
    const answer = await client.request({ ...sent, method: "POST" });
    return { status: answer.statusCode, body: await answer.body.json() };
  };
}

// proves AUTH-12
it.each([
  ["on", "on"],
  ["on", "off"],
  ["off", "on"],
  ["off", "off"],
])("decides nothing for a page of another origin (SVC_AUTH %s, SVC_FAST_LANE %s)", async (auth, lane) => {
  // A server of a test has keys unless something else is said.
  const more: Record<string, string> = auth === "off" ? { SVC_AUTH: "off" } : {};
  const { url } = await serverOfTest({ env: { SVC_FAST_LANE: lane, ...more } });
  expect((await createPolicy(url)).status).toBe(201);
  for (const page of PAGES) {
    const ask = connectionTo(url);
    expect(await ask(EXECUTE, CALL)).toMatchObject({ status: 200, body: { decision: "allow" } });
    expect(await ask(EXECUTE, CALL, page)).toMatchObject({ status: 403, body: { code: "forbidden" } });
    expect(await ask(OUTCOME, REPORT, page)).toMatchObject({ status: 403, body: { code: "forbidden" } });
  }
  expect(await takenByLane(url)).toBe(lane === "on" ? PAGES.length : 0);
});
