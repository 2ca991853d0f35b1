import { expect, it } from "vitest";
import { send } from "../support/server/api.ts";
import { BOOTSTRAP_ENV } from "../support/server/api-keys.ts";
import { BOOTSTRAP_KEY } from "../support/server/role-keys.ts";
import { serverOfTest } from "../support/server/server-process.ts";

const SECRET = "hunter-2-value";

/** More than the `costly` requests that one key may make at once. */
const MANY = 320;

/** What the server refuses, with the status. */
const REFUSED: readonly (readonly [number, string, string, string, string | undefined])[] = [
  [400, "POST", "gateway/execute", "application/json", JSON.stringify({ args: { amount: SECRET } })],
  [400, "POST", "gateway/execute", "application/json", `{"args":"${SECRET}"`],
  [415, "POST", "gateway/execute", "text/csv", SECRET],
  [413, "POST", "gateway/execute", "application/json", `"${SECRET.repeat(40_000)}"`],
  [400, "POST", "gateway/outcome", "application/json", JSON.stringify({ decision_id: 7, note: SECRET })],
  [400, "GET", `gateway/kill-switches?${SECRET}=1`, "application/json", undefined],
  [400, "GET", `policies?${SECRET}=1`, "application/json", undefined],
  [422, "POST", "policies", "application/yaml", `id: ${SECRET}\nrules: 7\n`],
  [415, "POST", "policies", "text/csv", SECRET],
  [400, "POST", "kill-switch", "application/json", JSON.stringify({ scope: "agent", reason: SECRET })],
];

// proves OPS-68
it("each refusal of input has a line of the log with the id of its answer, and no value", async () => {
  const server = await serverOfTest({ env: BOOTSTRAP_ENV });
  const found: number[] = [];
  for (const [status, method, path, type, body] of REFUSED) {
    const headers = { authorization: `Bearer ${BOOTSTRAP_KEY}`, "content-type": type };
    const answer = await send(method, `${server.url}/api/v1/${path}`, { body, headers });
    expect([path, answer.status]).toEqual([path, status]);
    const id = String(answer.body["request_id"]);
    await expect.poll(() => server.lines.filter((line) => line.includes(id))).toHaveLength(1);
    found.push(answer.status);
  }
  expect(found).toHaveLength(REFUSED.length);
  expect(server.output()).not.toContain(SECRET);
});

// proves OPS-69
it("without authentication no number of simulations meets a rate limit", async () => {
  const { url } = await serverOfTest({ authentication: "off" });
  const body = "id: a\nagent_id: b\ntools: { allowed: ['*'] }\n";
  const headers = { "content-type": "application/yaml" };
  const statuses = new Set<number>();
  for (let n = 0; n < MANY; n += 1)
    statuses.add((await send("POST", `${url}/api/v1/policies/validate`, { body, headers })).status);
  expect(statuses).toEqual(new Set([200]));
});
