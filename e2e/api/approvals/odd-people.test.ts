// long: it signs in with a real provider several times

import { findFreePort } from "@svc/process/free-port";
import { runs } from "@svc/text/testing/runs";
import { expect, it } from "vitest";
import { BOOTSTRAP_ENV, clientOf } from "../../support/server/api-keys.ts";
import { approvalServer } from "../../support/server/approval-page.ts";
import { loginKeyOf, startOidcProvider } from "../../support/server/oidc-provider.ts";
import { PlainBrowser } from "../../support/server/plain-browser.ts";

/** 256 bytes of UTF-8, in letters of many scripts. */
const SCRIPTS = "Ada Лавлейс 愛達 אדה عادة एडा 에이다 เอด้า Ἄδα Ադա ადა አዳ ᏣᎳᎩ ";
const LONG_SUBJECT = bytesOf(SCRIPTS.repeat(4), 256);

function bytesOf(text: string, bytes: number): string {
  let cut = "";
  for (const one of text) {
    if (Buffer.byteLength(cut + one) > bytes) break;
    cut += one;
  }
  return cut.padEnd(cut.length + bytes - Buffer.byteLength(cut), "x");
}

const manyGroups = (count: number) => [
  "finance",
  ...Array.from({ length: count }, (_, n) => `group-${String(n)}`),
];

/** Their name is their organization here. */
const PEOPLE = {
  [LONG_SUBJECT]: { name: "default", groups: ["finance"] },
  [`${LONG_SUBJECT}x`]: { name: "default", groups: ["finance"] },
  crowd: { name: "default", groups: manyGroups(500) },
  multitude: { name: "default", groups: manyGroups(10_000).map((group) => group.padEnd(40, "x")) },
  nobody: { name: "o2", groups: ["finance"] },
  proto: { name: "__proto__", groups: ["finance"] },
  mallory: { name: "other", groups: ["finance"] },
};

// proves PEO-02, PEO-03, PEO-13, TOK-07
it("odd people: long subjects, thousands of groups, another organization", async () => {
  const provider = await startOidcProvider(PEOPLE);
  const SVC_PUBLIC_URL = `http://127.0.0.1:${String(await findFreePort())}`;
  const claims = JSON.parse(provider.env["SVC_OIDC_CLAIMS"] ?? "{}") as object;
  const server = await approvalServer([{ amount: 10 }], {
    ...BOOTSTRAP_ENV,
    ...provider.env,
    SVC_OIDC_CLAIMS: JSON.stringify({ ...claims, organization: "name" }),
    SVC_LISTEN: SVC_PUBLIC_URL.replace("http://", ""),
    SVC_PUBLIC_URL,
  });
  provider.redirectTo(server.url);
  const page = `${server.url}${server.paused[0]?.path ?? ""}`;

  const me = await clientOf(server, await loginKeyOf(server.url, LONG_SUBJECT))("GET", "whoami");
  expect(me).toMatchObject({ status: 200, body: { role: "approver", identity: { subject: LONG_SUBJECT } } });
  expect(me.body["principal"]).toMatch(/^person_[0-9a-f]{32}@/);

  for (const [person, reason] of [
    [`${LONG_SUBJECT}x`, "nothing can name this person"],
    ["crowd", "named more than 500 groups"],
    ["multitude", "the answer is longer than 262144 bytes"],
  ] as const) {
    const refused = await new PlainBrowser().walk(`${server.url}/login/0`, person);
    expect([person, refused.status, await refused.text()]).toEqual([
      person,
      403,
      expect.stringContaining(reason),
    ]);
  }

  for (const claimed of ["nobody", "proto"]) {
    const refused = await new PlainBrowser().walk(`${server.url}/login/0`, claimed);
    expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining("does not exist")]);
  }
  const mallory = new PlainBrowser();
  const made = { json: { name: "other", role: "admin", org_id: "other" } };
  expect(await server.operator("POST", "keys", made)).toMatchObject({ status: 201 });
  expect((await mallory.walk(`${server.url}/login/0`, "mallory")).status).toBe(200);
  const foreign = await mallory.open(page);
  const unknown = await mallory.open(`${server.url}/approvals/apr_unknown`);
  expect([foreign.status, unknown.status]).toEqual([404, 404]);
  const withoutIds = async (answer: Response) =>
    (await answer.text()).replaceAll(/value="[0-9a-f]{64}"/g, "");
  expect(await withoutIds(foreign)).toBe(await withoutIds(unknown));
  // No change of the cookie makes it that of somebody else.
  const [name = "", cookie = ""] =
    [...mallory.cookies(server.url)].find(([, value]) => value.startsWith("v1.")) ?? [];
  for (let at = 3; at < cookie.length; at += runs(71, 7)) {
    const changed = `${cookie.slice(0, at)}${cookie[at] === "A" ? "B" : "A"}${cookie.slice(at + 1)}`;
    const answer = await fetch(page, { headers: { cookie: `${name}=${changed}` } });
    expect(await answer.text()).toContain("Sign in with");
  }
  expect(await server.statusOf(server.paused[0])).toBe("pending");
}, 90_000);
