// long: it signs in with a real provider many times

import { findFreePort } from "@svc/process/free-port";
import { decodeJwt, SignJWT } from "jose";
import { expect, it } from "vitest";
import { BOOTSTRAP_ENV } from "../../support/server/api-keys.ts";
import { approvalServer } from "../../support/server/approval-page.ts";
import { type OidcProvider, startOidcProvider } from "../../support/server/oidc-provider.ts";
import { PlainBrowser } from "../../support/server/plain-browser.ts";

const PEOPLE = {
  ada: { name: "Ada Lovelace", groups: ["finance", "engineering"] },
  grace: { name: "Grace Hopper", groups: ["finance"] },
  alan: { name: "Alan Turing", groups: ["authors"] },
  eve: { name: "Eve", groups: ["visitors"] },
};

async function serverWith(provider: OidcProvider, env: Readonly<Record<string, string>> = {}) {
  const SVC_PUBLIC_URL = `http://127.0.0.1:${String(await findFreePort())}`;
  const server = await approvalServer([{ amount: 10 }, { amount: 20 }], {
    ...BOOTSTRAP_ENV,
    ...provider.env,
    ...env,
    SVC_LISTEN: SVC_PUBLIC_URL.replace("http://", ""),
    SVC_PUBLIC_URL,
  });
  provider.redirectTo(server.url);
  return server;
}

const tokenOf = (page: string): string => /name="token" value="([0-9a-f]+)"/.exec(page)?.[1] ?? "";

// proves PEO-01, PEO-02, PEO-04
it("a person signs in with the provider, approves under their own name, and signs out", async () => {
  const provider = await startOidcProvider(PEOPLE);
  const server = await serverWith(provider);
  const [first] = server.paused;
  const page = `${server.url}${first?.path ?? ""}`;
  const browser = new PlainBrowser();
  const stranger = await (await browser.open(page)).text();
  expect(stranger).toContain(`/login/0?to=${encodeURIComponent(first?.path ?? "")}`);
  const shown = await browser.walk(`${server.url}/login/0?to=${first?.path ?? ""}`, "ada");
  expect([shown.status, browser.url]).toEqual([200, page]);
  const text = await shown.text();
  expect(text).toContain("Signed in as Ada Lovelace");
  const ada = `ada@${provider.issuer.replace("http://", "")}`;
  const approve = { action: "approve", reason: "checked", token: tokenOf(text) };
  expect((await browser.open(page, { ...approve, token: "0".repeat(64) })).status).toBe(403);
  expect((await browser.open(page, approve)).status).toBe(303);
  expect(await server.statusOf(first)).toBe("approved");
  const rows = await server.operator("GET", "audit?kind=approval,key");
  const seen = (rows.body["rows"] as { row: Record<string, unknown> }[]).map(({ row }) => row);
  expect(seen.find(({ kind }) => kind === "approval")).toMatchObject({ principal: ada, action: "approved" });
  expect(seen.find(({ action }) => action === "signed_in")).toMatchObject({
    principal: ada,
    role: "approver",
    identity: { subject: "ada", person: { name: "Ada Lovelace", groups: ["finance", "engineering"] } },
  });
  expect((await browser.open(page, { action: "logout", token: tokenOf(text) })).status).toBe(303);
  expect(await (await browser.open(page)).text()).toContain("Sign in with");
  const keys = await server.operator("GET", "keys");
  const logins = (keys.body["keys"] as Record<string, unknown>[]).filter(({ origin }) => origin === "login");
  expect(logins).toEqual([expect.objectContaining({ revoked_by: ada })]);
  expect(await server.statusOf(first)).toBe("approved");
}, 60_000);

// proves PEO-03
it("nobody comes in whose claims give no role, or a role that does not see approvals", async () => {
  const provider = await startOidcProvider(PEOPLE);
  const server = await serverWith(provider);
  const eve = await new PlainBrowser().walk(`${server.url}/login/0`, "eve");
  expect([eve.status, await eve.text()]).toEqual([403, expect.stringContaining("give no role")]);
  const alan = await new PlainBrowser().walk(`${server.url}/login/0`, "alan");
  expect([alan.status, await alan.text()]).toEqual([403, expect.stringContaining("approval:read")]);
}, 60_000);

// proves PEO-05
it("an answer of a provider counts once, in the browser that asked, with its state and issuer", async () => {
  const provider = await startOidcProvider(PEOPLE);
  const server = await serverWith(provider);
  const browser = new PlainBrowser();
  await browser.walk(`${server.url}/login/0`, "ada", `${server.url}/login/0/callback`);
  const callback = browser.url;
  const other = new PlainBrowser();
  await other.open(`${server.url}/login/0`);
  expect((await other.open(callback)).status).toBe(403);
  // What another browser tried takes nothing from the right one, nor does a request of another method.
  for (const method of ["HEAD", "POST"]) {
    const cookie = [...browser.cookies(server.url)].map((each) => each.join("=")).join("; ");
    expect((await fetch(callback, { method, headers: { cookie }, redirect: "manual" })).status).toBe(405);
  }
  expect((await browser.open(callback)).status).toBe(303);
  expect((await browser.open(callback)).status).toBe(403);
  const again = async (change: (url: URL) => void): Promise<number> => {
    const walker = new PlainBrowser();
    await walker.walk(`${server.url}/login/0`, "ada", `${server.url}/login/0/callback`);
    const url = new URL(walker.url);
    change(url);
    return (await walker.open(url.href)).status;
  };
  expect(await again((url) => url.searchParams.set("state", "x".repeat(43)))).toBe(403);
  expect(await again((url) => url.searchParams.set("iss", "https://else.example"))).toBe(403);
  expect(await again((url) => url.searchParams.delete("iss"))).toBe(403);
  expect(await again((url) => url.searchParams.set("code", "else"))).toBe(403);
  expect(await again((url) => (url.pathname = "/login/1/callback"))).toBe(403);
  expect(await again(() => undefined)).toBe(303);
}, 60_000);

// proves PEO-06
it("a token for somebody else, of another time or with a foreign signature signs nobody in", async () => {
  const provider = await startOidcProvider(PEOPLE);
  const server = await serverWith(provider);
  let change: (claims: Record<string, unknown>) => Record<string, unknown> = (claims) => claims;
  const stranger = await crypto.subtle.generateKey(
    {
      name: "RSASSA-PKCS1-v1_5",
      modulusLength: 2048,
      publicExponent: new Uint8Array([1, 0, 1]),
      hash: "SHA-256",
    },
    true,
    ["sign", "verify"],
  );
  provider.tamper("/token", async (body) => {
    const claims = change(decodeJwt(String(body["id_token"])));
    const signed = new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid: "k1" });
    return { ...body, id_token: await signed.sign(stranger.privateKey) };
  });
  const nowS = Math.floor(Date.now() / 1_000);
  for (const claims of [
    {},
    { aud: "else" },
    { exp: nowS - 120 },
    { iss: "https://else" },
    { nonce: "else" },
  ]) {
    change = (own) => ({ ...own, ...claims });
    const answer = await new PlainBrowser().walk(`${server.url}/login/0`, "ada");
    expect([claims, answer.status]).toEqual([claims, 403]);
    expect(await answer.text()).toContain("proves nothing");
  }
}, 60_000);

// proves PEO-07
it("a login survives new keys of the provider; without the provider people stay, and keys work", async () => {
  const provider = await startOidcProvider(PEOPLE);
  const server = await serverWith(provider);
  const ada = new PlainBrowser();
  expect((await ada.walk(`${server.url}/login/0`, "ada")).status).toBe(200);
  await provider.rotateKeys();
  expect((await new PlainBrowser().walk(`${server.url}/login/0`, "grace")).status).toBe(200);
  const late = new PlainBrowser();
  await late.walk(`${server.url}/login/0`, "grace", `${server.url}/login/0/callback`);
  provider.revoke("grace");
  expect((await late.open(late.url)).status).toBe(403);
  const last = new PlainBrowser();
  await last.walk(`${server.url}/login/0`, "ada", `${server.url}/login/0/callback`);
  provider.stop();
  const away = await last.open(last.url);
  expect([away.status, await away.text()]).toEqual([503, expect.stringContaining("does not answer now")]);
  expect(await (await ada.open(`${server.url}/approvals`)).text()).toContain("Signed in as Ada");
  expect((await server.operator("GET", "whoami")).status).toBe(200);
}, 60_000);
