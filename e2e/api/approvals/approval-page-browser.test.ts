// peers: chromium
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { missing } from "../../support/processes/missing-peers.ts";
import { programOf } from "../../support/processes/peer-programs.ts";
import { type ApprovalServer, approvalServer } from "../../support/server/approval-page.ts";

/** Milliseconds that a browser may take on a busy machine. */
const TIMEOUT_MS = 120_000;

const PHONE = { width: 360, height: 740 };

const SCRIPT = "alert(document.domain)";

const BREAKOUTS = [
  "",
  '">',
  "'>",
  "</td>",
  "</pre>",
  "</textarea>",
  "</title>",
  "</style>",
  "</script>",
  "-->",
];

const ELEMENTS = [
  `<script>${SCRIPT}</script>`,
  `<img src=x onerror=${SCRIPT}>`,
  `<svg/onload=${SCRIPT}>`,
  `<iframe srcdoc="<script>parent.${SCRIPT}</script>"></iframe>`,
  `<a href="javascript:${SCRIPT}" id=hostile>x</a>`,
  `<details open ontoggle=${SCRIPT}>`,
  `<input autofocus onfocus=${SCRIPT}>`,
  `<meta http-equiv=refresh content="0;url=javascript:${SCRIPT}">`,
  `<form action=//evil.example><button name=action value=approve>`,
  `&lt;script&gt;${SCRIPT}&#60;/script&#62;\u2028\u202e\u0000`,
];

/** 100 texts that become markup, and run a script, where they are not escaped. */
const PAYLOADS = BREAKOUTS.flatMap((start) => ELEMENTS.map((element) => `${start}${element}`));

// skip: the peer is not installed; continuous integration has it and fails without.
describe.skipIf(missing.chromium)("the page of an approval in a browser", { timeout: TIMEOUT_MS }, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: programOf("chromium"), args: ["--no-sandbox"] });
  }, TIMEOUT_MS);
  afterAll(() => browser.close());

  /** A signed-in page, the dialogs that it opened, and the hosts that it asked. */
  async function signedIn(
    server: ApprovalServer,
    options: { javaScriptEnabled?: boolean; isPhone?: true } = {},
  ) {
    const { isPhone, javaScriptEnabled = true } = options;
    const viewport = isPhone === true ? PHONE : { width: 1_000, height: 900 };
    const context = await browser.newContext({ viewport, javaScriptEnabled });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    const dialogs: string[] = [];
    const hosts = new Set<string>();
    page.on("dialog", (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    page.on("request", (request) => hosts.add(new URL(request.url()).host));
    await page.goto(`${server.url}${server.paused[0]?.path ?? ""}`);
    await page.getByLabel("API key").fill(server.approverKey);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Decide about a paused call" }).waitFor();
    return { page, dialogs, hosts };
  }

  const elementsOf = (page: Page) =>
    page.locator(`script, img, svg, iframe, a:not([href="/approvals"]), meta[http-equiv], #hostile`).count();

  // proves APR-46
  it("U1, A5: 100 hostile names, values and reasons open no dialog and become no element", async () => {
    expect(PAYLOADS).toHaveLength(100);
    const values = Object.fromEntries(PAYLOADS.map((text, at) => [`value${String(at)}`, text]));
    const names = Object.fromEntries(PAYLOADS.map((text) => [text, { nested: [text] }]));
    const server = await approvalServer([{ amount: 10, ...values, ...names }]);
    const { page, dialogs, hosts } = await signedIn(server);
    await page.getByText("Approve with other arguments").click();
    expect(await elementsOf(page)).toBe(0);
    expect(await page.locator("form").count()).toBe(2);
    const text = await page.locator("main").innerText();
    for (const payload of ELEMENTS.slice(0, -1)) expect(text).toContain(JSON.stringify(payload).slice(1, -1));
    for (const label of ["[U+2028]", "[U+202E]"]) expect(text).toContain(label);
    const reason = PAYLOADS.join("\n").slice(0, 900);
    await page.getByLabel("Reason").fill(reason);
    await page.getByRole("button", { name: "Deny" }).click();
    await page.getByRole("heading", { name: "This approval is denied" }).waitFor();
    expect(await elementsOf(page)).toBe(0);
    expect(await page.locator("main").innerText()).toContain("onerror=alert");
    expect(dialogs).toEqual([]);
    expect([...hosts]).toEqual([new URL(server.url).host]);
  });

  // proves APR-47
  it("fits a phone, works without script and with the keyboard alone", async () => {
    const server = await approvalServer([{ amount: 10, note: "x".repeat(400) }]);
    const { page } = await signedIn(server, { isPhone: true, javaScriptEnabled: false });
    const { width = 0 } = (await page.locator("body").boundingBox()) ?? {};
    const widest = await page
      .locator("main *")
      .evaluateAll((all) =>
        Math.max(...all.map((one) => (one as unknown as { scrollWidth: number }).scrollWidth)),
      );
    expect([width, widest <= PHONE.width]).toEqual([PHONE.width, true]);
    await page.getByLabel("Reason").focus();
    await page.keyboard.type("keyboard alone");
    // Enter in the reason begins a line; it sends nothing.
    await page.keyboard.press("Enter");
    expect(await server.statusOf(server.paused[0])).toBe("pending");
    await page.keyboard.press("Tab");
    expect(await page.locator(":focus").innerText()).toBe("Approve as asked");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "This approval is approved" }).waitFor();
    expect(await server.statusOf(server.paused[0])).toBe("approved");
  });

  // proves APR-42
  it("sends what the text area holds as it is, and edits in it", async () => {
    const hostile = "\u202eone\n</textarea>\ttwo раураl";
    const server = await approvalServer([
      { amount: 10, hostile },
      { amount: 10, hostile },
    ]);
    const { page } = await signedIn(server);
    await page.getByLabel("Reason").fill("fine");
    await page.getByRole("button", { name: "Approve as asked" }).click();
    await page.getByRole("heading", { name: "This approval is approved" }).waitFor();
    await page.goto(`${server.url}${server.paused[1]?.path ?? ""}`);
    await page.getByText("Approve with other arguments").click();
    const area = page.locator("#args");
    await area.fill((await area.inputValue()).replace('"amount": 10', '"amount": 7'));
    await page.getByLabel("Reason").fill("less");
    await page.getByRole("button", { name: "Approve with these arguments" }).click();
    await page.getByRole("heading", { name: "This approval is approved" }).waitFor();
    const { body } = await server.operator("GET", `approvals/${server.paused[1]?.id ?? ""}`);
    expect(body["edited_args"]).toEqual({ amount: 7, hostile });
  });
});
