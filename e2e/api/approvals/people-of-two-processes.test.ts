// peers: postgres
// long: it starts two servers and signs in with a real provider
import { TOKEN_EXCHANGE_GRANT } from "@svc/contract/token-exchange";
import { describePostgres } from "@svc/store/testing/describe-postgres-suite";
import { expect, it } from "vitest";
import { startRotatingProxy } from "../../support/proxies/rotating-proxy.ts";
import { send } from "../../support/server/api.ts";
import { BOOTSTRAP_ENV, clientOf, operatorOf } from "../../support/server/api-keys.ts";
import { tokenIn } from "../../support/server/approval-page.ts";
import { startOidcProvider } from "../../support/server/oidc-provider.ts";
import { PlainBrowser } from "../../support/server/plain-browser.ts";
import { type ServerProcess, serverOfTest } from "../../support/server/server-process.ts";
import { startTokenIssuer, type TokenIssuer } from "../../support/server/token-issuer.ts";

const PEOPLE = { ada: { name: "Ada", groups: ["finance"] } };

const AUDIENCE = "https://svc.example.com";

const SUBJECT = "system:serviceaccount:payments:deployer";

type Pair = readonly [one: ServerProcess, two: ServerProcess];

/** An answer of the provider counts once, also when it comes again at the other process. */
async function answersCountOnce(proxyUrl: string): Promise<void> {
  const browser = new PlainBrowser();
  await browser.walk(`${proxyUrl}/login/0`, "ada", `${proxyUrl}/login/0/callback`);
  const callback = browser.url;
  const statuses: number[] = [];
  for (let sent = 0; sent < 3; sent += 1) statuses.push((await browser.open(callback)).status);
  expect(statuses).toEqual([303, 403, 403]);
}

/** A person signs in, is known to both, and signs out of both. */
async function personIsKnownToBoth(proxyUrl: string, servers: Pair): Promise<void> {
  const browser = new PlainBrowser();
  expect((await browser.walk(`${proxyUrl}/login/0`, "ada")).status).toBe(200);
  const page = `${proxyUrl}/approvals`;
  const seen: string[] = [];
  for (let asked = 0; asked < 4; asked += 1) seen.push(await (await browser.open(page)).text());
  for (const text of seen) expect(text).toContain("Signed in as Ada");
  const kept = [...browser.cookies(proxyUrl)];
  expect((await browser.open(page, { action: "logout", token: tokenIn(seen[0] ?? "") })).status).toBe(303);
  const cookie = kept.map(([name, value]) => `${name}=${value}`).join("; ");
  for (const { url } of servers) {
    const again = await fetch(`${url}/approvals`, { headers: { cookie } });
    expect(await again.text()).toContain("Sign in with");
  }
}

/** A key that one of them gave for a token acts at the other one, and ends at both. */
async function keyActsAtBoth(issuer: TokenIssuer, [one, two]: Pair): Promise<void> {
  const operator = operatorOf(one);
  const rule = { name: "deployer", issuer: issuer.url, audience: AUDIENCE, role: "ci", subject: SUBJECT };
  expect((await operator("POST", "trust-rules", { json: rule })).status).toBe(201);
  const subject_token = await issuer.sign({ sub: SUBJECT, aud: AUDIENCE });
  const body = { grant_type: TOKEN_EXCHANGE_GRANT, subject_token };
  const given = await send("POST", `${two.url}/api/v1/token`, { body });
  expect(given.status).toBe(200);
  const key = String(given.body["access_token"]);
  for (const server of [one, two]) expect((await clientOf(server, key)("GET", "whoami")).status).toBe(200);
  expect((await operator("DELETE", `keys/${String(given.body["key_id"])}`)).status).toBe(200);
  for (const server of [one, two]) expect((await clientOf(server, key)("GET", "whoami")).status).toBe(401);
}

describePostgres("two control processes behind a balancer that knows nothing of cookies", (postgres) => {
  // proves PEO-04, PEO-05, PEO-10, TOK-01, TOK-04
  it("answers of the provider count once; people and keys are known to both, and end at both", async () => {
    const [provider, issuer, proxy] = [
      await startOidcProvider(PEOPLE),
      await startTokenIssuer(),
      await startRotatingProxy(),
    ];
    const peers = { ...BOOTSTRAP_ENV, ...provider.env, SVC_OUTBOUND_ALLOW: "127.0.0.1" };
    const shared = { SVC_DATABASE_URL: await postgres().createDatabase(), SVC_PUBLIC_URL: proxy.url };
    const start = (name: string) => serverOfTest({ env: { ...peers, ...shared, SVC_GATEWAY_ID: name } });
    const servers = [await start("one"), await start("two")] as const;
    proxy.serve(servers.map(({ port }) => port));
    provider.redirectTo(proxy.url);
    await answersCountOnce(proxy.url);
    await personIsKnownToBoth(proxy.url, servers);
    await keyActsAtBoth(issuer, servers);
  }, 60_000);
});
