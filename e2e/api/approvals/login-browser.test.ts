// peers: chromium
// long: it starts a browser and signs in with a real provider
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { findFreePort } from "@svc/process/free-port";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { missing } from "../../support/processes/missing-peers.ts";
import { programOf } from "../../support/processes/peer-programs.ts";
import { BOOTSTRAP_ENV } from "../../support/server/api-keys.ts";
import { approvalServer } from "../../support/server/approval-page.ts";
import { startOidcProvider } from "../../support/server/oidc-provider.ts";

/** Milliseconds that a browser may take on a busy machine. */
const TIMEOUT_MS = 120_000;

const PEOPLE = { ada: { name: "Ada Lovelace", groups: ["finance"] } };

const DECIDE = "Decide about a paused call";

// skip: the peer is not installed; continuous integration has it and fails without.
describe.skipIf(missing.chromium)("a login with a provider in a browser", { timeout: TIMEOUT_MS }, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: programOf("chromium"), args: ["--no-sandbox"] });
  }, TIMEOUT_MS);
  afterAll(() => browser.close());

  async function setUp() {
    const provider = await startOidcProvider(PEOPLE);
    // The provider is on 127.0.0.1: another host is another site.
    const SVC_PUBLIC_URL = `http://localhost:${String(await findFreePort())}`;
    const listen = { SVC_PUBLIC_URL, SVC_LISTEN: SVC_PUBLIC_URL.replace("http://localhost", "127.0.0.1") };
    const env = { ...BOOTSTRAP_ENV, ...provider.env, ...listen };
    const server = await approvalServer([{ amount: 10 }, { amount: 20 }], env);
    provider.redirectTo(SVC_PUBLIC_URL);
    const context = await browser.newContext();
    onTestFinished(() => context.close());
    const address = (at: number) => `${SVC_PUBLIC_URL}${server.paused[at]?.path ?? ""}`;
    return { server, context, address, url: SVC_PUBLIC_URL };
  }

  /** From the page of somebody unknown to the provider, and back. */
  async function signIn(page: Page, address: string): Promise<void> {
    await page.goto(address);
    await page.getByRole("link", { name: "Sign in with" }).click();
    await atProvider(page);
  }

  /** The provider asks who it is and whether Svc may know, unless it knows that already. */
  async function atProvider(page: Page): Promise<void> {
    const who = page.locator("input[name=login]");
    const consent = page.getByRole("button", { name: "Continue" });
    const back = page.getByRole("heading", { name: DECIDE });
    await who.or(consent).or(back).waitFor();
    if (await who.isVisible()) {
      await who.fill("ada");
      await page.locator("input[name=password]").fill("x");
      await page.keyboard.press("Enter");
      await consent.or(back).waitFor();
    }
    if (await consent.isVisible()) await consent.click();
    await back.waitFor();
  }

  const loginCookie = async (context: BrowserContext) =>
    (await context.cookies()).find(({ name }) => name === "svc_approver");

  // proves PEO-01, PEO-04
  it("leads back to the page, in a cookie that no script reads, and ends with signing out", async () => {
    const { server, context, address } = await setUp();
    const page = await context.newPage();
    await signIn(page, address(0));
    expect(page.url()).toBe(address(0));
    const cookie = await loginCookie(context);
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Lax", path: "/", domain: "localhost" });
    const leftS = (cookie?.expires ?? 0) - Date.now() / 1_000;
    expect([leftS > 3_000, leftS <= 3_600]).toEqual([true, true]);
    expect(await page.evaluate("document.cookie")).toBe("");
    await page.getByLabel("Reason").fill("fine");
    await page.getByRole("button", { name: "Approve as asked" }).click();
    await page.getByRole("heading", { name: "This approval is approved" }).waitFor();
    expect(await server.statusOf(server.paused[0])).toBe("approved");
    await page.getByRole("button", { name: "Sign out", exact: true }).click();
    await page.getByRole("link", { name: "Sign in with" }).waitFor();
    expect(await loginCookie(context)).toBeUndefined();
    await context.addCookies([{ ...(cookie ?? { name: "", value: "" }) }]);
    await page.goto(address(1));
    await page.getByRole("link", { name: "Sign in with" }).waitFor();
  });

  // proves PEO-10
  it("is finished in two tabs that began it at once, and both decide", async () => {
    const { server, context, address } = await setUp();
    const [one, two] = [await context.newPage(), await context.newPage()];
    for (const [at, page] of [one, two].entries()) {
      await page.goto(address(at));
      await page.getByRole("link", { name: "Sign in with" }).click();
      await page.locator("input[name=login]").waitFor();
    }
    await atProvider(two);
    await atProvider(one);
    // The login of the second tab came last, and the first tab shows its page by it.
    await two.reload();
    await one.getByLabel("Reason").fill("one");
    await one.getByRole("button", { name: "Deny" }).click();
    await one.getByRole("heading", { name: "This approval is denied" }).waitFor();
    await two.getByLabel("Reason").fill("two");
    await two.getByRole("button", { name: "Approve as asked" }).click();
    await two.getByRole("heading", { name: "This approval is approved" }).waitFor();
    expect(await server.statusOf(server.paused[0])).toBe("denied");
  });

  // proves APR-43
  it("is not used by a form of another site, but by a link there", async () => {
    const { server, context, address } = await setUp();
    const page = await context.newPage();
    await signIn(page, address(0));
    const form = `<form method=post action="${address(0)}"><input name=action value=deny>
<input name=reason value=hostile></form><a href="${address(0)}">link</a>`;
    const other = createServer((_, response) => {
      response.setHeader("content-type", "text/html");
      response.end(form);
    });
    await once(other.listen(0, "127.0.0.1"), "listening");
    onTestFinished(() => void other.close());
    await page.goto(`http://127.0.0.1:${String((other.address() as AddressInfo).port)}/`);
    await page.getByRole("link", { name: "link" }).click();
    await page.getByText("Signed in as Ada Lovelace").waitFor();
    await page.goBack();
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.url() === address(0)),
      page.evaluate("document.forms[0].submit()"),
    ]);
    expect(answer.status()).toBe(403);
    await page.getByText("sent by a page of another site").waitFor();
    expect(await page.getByText("hostile").count()).toBe(0);
    expect(await server.statusOf(server.paused[0])).toBe("pending");
  });

  // proves PEO-11, PEO-12
  it("that ends in the middle of a form loses nothing, and says that nothing was done", async () => {
    const { server, context, address } = await setUp();
    const page = await context.newPage();
    await signIn(page, address(0));
    const reason = `Compared it with <b>invoice</b> 7.\n${"Und so weiter. ".repeat(60)}`.trim();
    await page.getByLabel("Reason").fill(reason);
    const second = await context.newPage();
    await second.goto(address(1));
    await second.getByRole("button", { name: "Sign out everywhere" }).click();
    await second.getByRole("link", { name: "Sign in with" }).waitFor();
    await page.getByRole("button", { name: "Deny" }).click();
    await page.getByText("The login has ended, so nothing was done.").waitFor();
    expect(await page.getByLabel("Your reason").inputValue()).toBe(reason);
    expect(await server.statusOf(server.paused[0])).toBe("pending");
    await signIn(second, address(1));
    await page.goto(address(0));
    await page.getByLabel("Reason").fill("again");
    // A login that is another one takes no form of the one before it, and keeps what it holds.
    await second.getByRole("button", { name: "Sign out", exact: true }).click();
    await second.getByRole("link", { name: "Sign in with" }).waitFor();
    await signIn(second, address(1));
    await page.getByRole("button", { name: "Deny" }).click();
    await page.getByText("The form was too old, so nothing was done.").waitFor();
    expect(await page.getByLabel("Reason").inputValue()).toBe("again");
    await page.getByRole("button", { name: "Deny" }).click();
    await page.getByRole("heading", { name: "This approval is denied" }).waitFor();
  });
});
