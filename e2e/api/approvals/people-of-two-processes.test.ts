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
import { serverOfTest } from "../../support/server/server-process.ts";
import { startTokenIssuer } from "../../support/server/token-issuer.ts";

const PEOPLE = { ada: { name: "Ada", groups: ["finance"] } };

const AUDIENCE = "https://svc.example.com";

const SUBJECT = "system:serviceaccount:payments:deployer";

describePostgres("two control processes behind a balancer that knows nothing of cookies", (postgres) => {
  async function startTwo(env: Readonly<Record<string, string>>, publicUrl: string) {
    const shared = { SVC_DATABASE_URL: await postgres().createDatabase(), SVC_PUBLIC_URL: publicUrl };
    const start = (name: string) =>
      serverOfTest({ env: { ...BOOTSTRAP_ENV, ...env, ...shared, SVC_GATEWAY_ID: name } });
    return [await start("one"), await start("two")] as const;
  }

  // proves PEO-05, PEO-10
  it("an answer of the provider counts once, also when it comes again at the other process", async () => {
    const provider = await startOidcProvider(PEOPLE);
    const proxy = await startRotatingProxy();
    const [one, two] = await startTwo(provider.env, proxy.url);
    proxy.serve([one.port, two.port]);
    provider.redirectTo(proxy.url);
    const browser = new PlainBrowser();
    await browser.walk(`${proxy.url}/login/0`, "ada", `${proxy.url}/login/0/callback`);
    const callback = browser.url;
    const statuses: number[] = [];
    for (let sent = 0; sent < 3; sent += 1) statuses.push((await browser.open(callback)).status);
    expect(statuses).toEqual([303, 403, 403]);
  }, 60_000);

  // proves PEO-10, PEO-04
  it("a person signs in, is known to both, and signs out of both", async () => {
    const provider = await startOidcProvider(PEOPLE);
    const proxy = await startRotatingProxy();
    const [one, two] = await startTwo(provider.env, proxy.url);
    proxy.serve([one.port, two.port]);
    provider.redirectTo(proxy.url);
    const browser = new PlainBrowser();
    expect((await browser.walk(`${proxy.url}/login/0`, "ada")).status).toBe(200);
    const page = `${proxy.url}/approvals`;
    const seen: string[] = [];
    for (let asked = 0; asked < 4; asked += 1) seen.push(await (await browser.open(page)).text());
    for (const text of seen) expect(text).toContain("Signed in as Ada");
    const kept = [...browser.cookies(proxy.url)];
    expect((await browser.open(page, { action: "logout", token: tokenIn(seen[0] ?? "") })).status).toBe(303);
    const cookie = kept.map(([name, value]) => `${name}=${value}`).join("; ");
    for (const { port } of [one, two]) {
      const again = await fetch(`http://127.0.0.1:${String(port)}/approvals`, { headers: { cookie } });
      expect(await again.text()).toContain("Sign in with");
    }
  }, 60_000);

  // proves TOK-01, TOK-04
  it("a key that one of them gave for a token acts at the other one, and ends at both", async () => {
    const issuer = await startTokenIssuer();
    const [one, two] = await startTwo(issuer.env, "https://svc.example");
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
  }, 60_000);
});
