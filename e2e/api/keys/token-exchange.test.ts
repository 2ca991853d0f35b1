import { TOKEN_EXCHANGE_GRANT } from "@svc/contract/token-exchange";
import { expect, it } from "vitest";
import { send } from "../../support/server/api.ts";
import { BOOTSTRAP_ENV, clientOf, operatorOf } from "../../support/server/api-keys.ts";
import { serverOfTest } from "../../support/server/server-process.ts";
import { startTokenIssuer } from "../../support/server/token-issuer.ts";

const AUDIENCE = "https://svc.example.com";

const SUBJECT = "system:serviceaccount:payments:deployer";

// proves TOK-01, TOK-02, TOK-04
it("a program gets a key of minutes for its token, and no more than its rule gives", async () => {
  const issuer = await startTokenIssuer();
  const server = await serverOfTest({ env: { ...BOOTSTRAP_ENV, ...issuer.env } });
  const operator = operatorOf(server);
  const settings = { name: "deployer", issuer: issuer.url, audience: AUDIENCE, role: "ci" };
  const open = await operator("POST", "trust-rules", { json: { ...settings, subject: "*" } });
  expect(open).toMatchObject({ status: 400, body: { errors: [{ pointer: "/subject" }] } });
  const rule = await operator("POST", "trust-rules", { json: { ...settings, subject: SUBJECT } });
  expect(rule).toMatchObject({
    status: 201,
    body: { role: "ci", warnings: [expect.stringContaining("plain HTTP") as string] },
  });
  const token = await issuer.sign({ sub: SUBJECT, aud: [AUDIENCE] });
  const json = { grant_type: TOKEN_EXCHANGE_GRANT, subject_token: token };
  const url = `${server.url}/api/v1/token`;
  const given = await send("POST", url, { body: json });
  expect(given).toMatchObject({
    status: 200,
    body: { token_type: "Bearer", role: "ci", expires_in: 600, trust_rule_id: rule.body["id"] },
  });
  const program = clientOf(server, String(given.body["access_token"]));
  const me = await program("GET", "whoami");
  expect(me).toMatchObject({ status: 200, body: { role: "ci", expires_at: given.body["expires_at"] } });
  expect((await program("GET", "policies")).status).toBe(200);
  expect((await program("POST", "keys", { json: { name: "k", role: "ci" } })).status).toBe(403);
  const form = new URLSearchParams(json).toString();
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const byForm = await fetch(url, { method: "POST", headers, body: form });
  expect([byForm.status, byForm.headers.get("cache-control")]).toEqual([200, "no-store"]);
  expect((await fetch(url, { method: "POST", headers, body: `${form}&grant_type=x` })).status).toBe(400);
  const elsewhere = await send("POST", url, {
    body: { ...json, subject_token: await issuer.sign({ sub: SUBJECT, aud: "https://else.example" }) },
  });
  expect(elsewhere).toMatchObject({ status: 401, body: { code: "token_refused" } });
  const rows = await operator("GET", "audit?kind=key,trust_rule");
  const exchanged = (rows.body["rows"] as { row: Record<string, unknown> }[]).filter(
    ({ row }) => row["action"] === "exchanged",
  );
  expect(exchanged).toHaveLength(2);
  expect(exchanged[0]?.row).toMatchObject({ principal: rule.body["id"], identity: { subject: SUBJECT } });
  expect((await operator("DELETE", `keys/${String(given.body["key_id"])}`)).status).toBe(200);
  expect((await program("GET", "whoami")).status).toBe(401);
  expect((await operator("DELETE", `trust-rules/${String(rule.body["id"])}`)).status).toBe(200);
  expect((await send("POST", url, { body: json })).status).toBe(401);
});

it("a page of another origin exchanges no token, and one address does not exchange without end", async () => {
  const server = await serverOfTest({ env: BOOTSTRAP_ENV });
  const body = { grant_type: TOKEN_EXCHANGE_GRANT, subject_token: "a.b.c" };
  const ask = (headers: Readonly<Record<string, string>> = {}) =>
    send("POST", `${server.url}/v1/token`, { body, headers });
  expect((await ask({ origin: "https://else.example" })).status).toBe(403);
  const statuses = await Promise.all(Array.from({ length: 80 }, async () => (await ask()).status));
  expect(new Set(statuses)).toEqual(new Set([401, 429]));
});
