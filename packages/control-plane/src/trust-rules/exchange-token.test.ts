import { adminPrincipal } from "@svc/contract/testing/principals";
import { TOKEN_EXCHANGE_GRANT } from "@svc/contract/token-exchange";
import { parseTrustRuleCreation } from "@svc/contract/trust-rule";
import type { JsonObject } from "@svc/text/json-value";
import { describe, expect, it } from "vitest";
import { signInPerson } from "../people/sign-in-person.ts";
import { makeOrganization } from "../testing/make-organization.ts";
import { ANYBODY, testPorts } from "../testing/test-ports.ts";
import { exchangeToken } from "./exchange-token.ts";
import type { ProvedToken, TokenClaims } from "./identity-tokens.ts";
import { createTrustRule, getTrustRule, listTrustRules, removeTrustRule } from "./trust-rules.ts";

const GITHUB = "https://token.actions.githubusercontent.com";
const AUDIENCE = "https://svc.example";

const CLAIMS = {
  iss: GITHUB,
  aud: AUDIENCE,
  sub: "repo:acme/deployments:environment:production",
  repository: "acme/deployments",
  environment: "production",
  run_attempt: 1,
} as const;

const RULE = {
  name: "deployments",
  issuer: GITHUB,
  audience: AUDIENCE,
  subject: "repo:acme/deployments:*",
  role: "ci",
};

/** Ports that prove a token which is the JSON of its claims. */
function setUp(judge: (claims: TokenClaims) => ProvedToken = (claims) => ({ kind: "proved", claims })) {
  const ports = {
    ...testPorts(),
    identityTokens: {
      read: async (token: string) => {
        const { iss, sub, aud } = JSON.parse(token) as typeof CLAIMS;
        return { issuer: iss, subject: sub, audiences: [aud] };
      },
      refuseAddress: async (url: string) => (url.includes("10.0.0.7") ? "it is a private address" : null),
      prove: async ({ token }: { readonly token: string }) => judge(JSON.parse(token) as TokenClaims),
    },
  };
  const make = async (changed: JsonObject = {}) => {
    const parsed = parseTrustRuleCreation({ ...RULE, ...changed });
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
    const outcome = await createTrustRule(ports, ANYBODY, parsed.value);
    if (outcome.kind === "problem") throw new Error(outcome.problem.detail);
    return outcome.value;
  };
  const exchange = (
    changed: object = {},
    asked: { readonly trust_rule_id?: string; readonly org?: string } = {},
  ) =>
    exchangeToken(ports, {
      grant_type: TOKEN_EXCHANGE_GRANT,
      subject_token: JSON.stringify({ ...CLAIMS, ...changed }),
      subject_token_type: "urn:ietf:params:oauth:token-type:jwt",
      trust_rule_id: asked.trust_rule_id ?? null,
      org_id: asked.org ?? ANYBODY.org,
    });
  return { ports, make, exchange };
}

const refused = { kind: "problem", problem: { code: "token_refused" } };

describe("exchangeToken", () => {
  // proves TOK-01, TOK-04
  it("gives a key of minutes with what the rule says, and writes who got it", async () => {
    const { ports, make, exchange } = setUp();
    const rule = await make({ role: "operator", agents: ["a-1"], lifetime_seconds: 120 });
    const outcome = await exchange();
    if (outcome.kind === "problem") return expect.unreachable(outcome.problem.detail);
    const { access_token, key_id, ...rest } = outcome.value;
    expect(access_token).toMatch(new RegExp(`^svc_${key_id}_[0-9a-f]{64}$`));
    const expires_at = new Date(ports.time.now().getTime() + 120_000).toISOString();
    expect(rest).toMatchObject({ role: "operator", expires_in: 120, expires_at, trust_rule_id: rule.id });
    const identity = {
      issuer: GITHUB,
      subject: CLAIMS.sub,
      trust_rule_id: rule.id,
      environment: "production",
      person: null,
    };
    expect(await ports.keys.key(key_id)).toMatchObject({
      origin: "exchanged",
      name: `deployments: ${CLAIMS.sub}`,
      agents: ["a-1"],
      created_by: rule.id,
      expires_at,
      identity,
    });
    const [made, given] = ports.database.auditRows;
    expect(made).toMatchObject({ kind: "trust_rule", action: "created", trust_rule_id: rule.id });
    expect(given).toMatchObject({ kind: "key", action: "exchanged", principal: rule.id, key_id, identity });
    expect(JSON.stringify([made, given])).not.toContain(access_token.split("_")[2]);
  });

  // proves TOK-02
  it.each<readonly [why: string, rule: JsonObject, claims: object]>([
    ["of another issuer", { issuer: "https://other.example" }, {}],
    ["for another audience", { audience: "https://other.example" }, {}],
    ["of another subject", {}, { sub: "repo:acme/other:environment:production" }],
    ["whose subject only contains that of the rule", {}, { sub: "x:repo:acme/deployments:y" }],
    ["without a claim of the rule", { claims: { actor: "ada" } }, {}],
    ["with another value of a claim", { claims: { repository: "acme/other" } }, {}],
    ["of another environment", { environments: ["staging"] }, {}],
    ["without the environment", { environments: ["production"] }, { environment: undefined }],
    ["with a claim that JavaScript has everywhere", { claims: { toString: "*" } }, {}],
    ["with an object as a claim", { claims: { repository: "*" } }, { repository: { a: 1 } }],
  ])("gives none for a token %s", async (_why, rule, claims) => {
    const { make, exchange, ports } = setUp();
    await make(rule);
    expect(await exchange(claims)).toMatchObject(refused);
    expect(ports.database.auditRows).toHaveLength(1);
  });

  it("compares numbers, and the elements of lists", async () => {
    const { make, exchange } = setUp();
    await make({ claims: { run_attempt: "1", groups: "deployers" } });
    expect(await exchange({ groups: ["a", "deployers"] })).toMatchObject({ kind: "ok" });
    expect(await exchange({ groups: [["deployers"]] })).toMatchObject(refused);
  });

  // proves TOK-09
  it("leaves a place for logins, and says who gave too many, when one ends, and who can help", async () => {
    const { ports, make, exchange } = setUp();
    Object.assign(ports.database.limits, { keys: 4, exchangedKeys: 3, keysOfTrustRule: 2 });
    const { id } = await make({ lifetime_seconds: 120 });
    const end = new Date(ports.time.now().getTime() + 120_000).toISOString();
    const full = (...texts: readonly string[]) => ({
      kind: "problem",
      problem: { code: "limit_reached", detail: expect.stringMatching(texts.join(".*")) as string },
    });
    for (const _ of [1, 2]) expect(await exchange()).toMatchObject({ kind: "ok" });
    expect(await exchange()).toMatchObject(full(`trust rule ${id} has given`, `ends at ${end}`));
    const other = await make();
    expect(await exchange({}, { trust_rule_id: other.id })).toMatchObject({ kind: "ok" });
    expect(await exchange({}, { trust_rule_id: other.id })).toMatchObject(full("trust rules", "at once, 3"));
    await makeOrganization(ports, ANYBODY.org);
    const person = { ...ANYBODY, issuer: "https://idp", subject: "ada", name: null, groups: [] };
    const signIn = async () => signInPerson(ports, { ...person, roles: ["approver"] });
    expect(await signIn()).toMatchObject({ kind: "ok" });
    expect(await signIn()).toMatchObject(
      full("given 3, and 1 are of logins", "scope key:write", "created_by"),
    );
    await ports.time.advance(120_000);
    expect(await signIn()).toMatchObject({ kind: "ok" });
  });

  // proves TOK-02
  it("gives none by a rule that was removed, or that belongs to another organization", async () => {
    const { ports, make, exchange } = setUp();
    const { id } = await make();
    expect(await exchange({}, { org: "other" })).toMatchObject(refused);
    expect(await exchange({}, { trust_rule_id: "trust_other" })).toMatchObject(refused);
    expect(await removeTrustRule(ports, ANYBODY, id)).toMatchObject({ kind: "ok" });
    expect(await exchange()).toMatchObject(refused);
  });

  it("asks which rule is meant when several admit the token", async () => {
    const { make, exchange } = setUp();
    const [one, other] = [await make(), await make({ role: "auditor" })];
    const problem = {
      code: "invalid_request",
      detail: expect.stringContaining(`${one.id}, ${other.id}`) as string,
    };
    expect(await exchange()).toMatchObject({ kind: "problem", problem });
    expect(await exchange({}, { trust_rule_id: other.id })).toMatchObject({ value: { role: "auditor" } });
  });

  // proves TOK-07
  it.each(["repo:acme/deployments:\u202E", "repo:acme/deployments:\u0000", "repo:acme/deployments:\uD800"])(
    "refuses the subject %j",
    async (sub) => {
      const { make, exchange } = setUp();
      await make();
      expect(await exchange({ sub })).toMatchObject(refused);
    },
  );

  it("says whether a token proves nothing, or its issuer cannot be asked", async () => {
    const away = setUp(() => ({ kind: "unreachable", reason: "no answer" }));
    await away.make();
    const unavailable = { code: "issuer_unavailable", status: 503 };
    expect(await away.exchange()).toMatchObject({ kind: "problem", problem: unavailable });
    const early = setUp(() => ({ kind: "unknown_key", retryS: 30 }));
    await early.make();
    const later = { ...unavailable, detail: expect.stringContaining("30 s later at the latest") as string };
    expect(await early.exchange()).toMatchObject({ kind: "problem", problem: later });
    const forged = setUp(() => ({ kind: "refused", reason: "its signature is not of its issuer" }));
    await forged.make();
    expect(await forged.exchange()).toMatchObject(refused);
  });
});

describe("a rule that is stored, of a kind that is not made any more", () => {
  // proves TOK-08
  it.each<readonly [why: string, changed: object, finding: RegExp]>([
    ["for everybody", { subject: "repo:*" }, /^The rule admits nobody\. .*admit everybody: GitHub gives/],
    ["with a claim of every token", { claims: { exp: "1*" } }, /Every token has the claim exp/],
    ["with keys out of reach", { jwks_uri: "https://10.0.0.7/keys" }, /never be read.* private address/],
  ])("admits nobody, and says so: %s", async (_why, changed, finding) => {
    const { ports, make, exchange } = setUp();
    const { warnings: _warnings, ...record } = await make();
    const stored = { ...record, ...changed, id: "trust_old" };
    await ports.trustRules.create({ org: ANYBODY.org, auditRow: "{}", record: stored });
    const claims = { exp: 1_800_000_000 };
    expect(await exchange(claims, { trust_rule_id: "trust_old" })).toMatchObject(refused);
    expect(ports.logged.join()).toContain("a trust rule admits nobody");
    // Beside another one it neither admits nor is in the way.
    expect(await exchange(claims)).toMatchObject({ value: { trust_rule_id: record.id } });
    const shown = await getTrustRule(ports, ANYBODY, "trust_old");
    expect(shown.kind === "ok" && shown.value.warnings[0]).toMatch(finding);
    const listed = await listTrustRules(ports, ANYBODY, { limit: 10, after: null });
    const findings = listed.kind === "ok" ? listed.value.items.flatMap(({ warnings }) => warnings) : [];
    expect(findings.filter((one) => finding.test(one))).toHaveLength(1);
    expect(await removeTrustRule(ports, ANYBODY, "trust_old")).toMatchObject({ kind: "ok" });
  });
});

describe("createTrustRule", () => {
  // proves TOK-08
  it("refuses keys at an address that the server never calls, at the field that names it", async () => {
    const { ports } = setUp();
    const create = async (changed: JsonObject) => {
      const parsed = parseTrustRuleCreation({ ...RULE, subject: "system:job", ...changed });
      return parsed.ok ? createTrustRule(ports, ANYBODY, parsed.value) : expect.unreachable();
    };
    for (const [changed, pointer] of [
      [{ jwks_uri: "https://10.0.0.7/keys", subject: RULE.subject }, "/jwks_uri"],
      [{ issuer: "https://10.0.0.7" }, "/issuer"],
    ] as const)
      expect(await create(changed)).toMatchObject({
        problem: { code: "invalid_request", errors: [{ pointer }] },
      });
    const elsewhere = { issuer: "https://10.0.0.7", jwks_uri: "https://issuer.example/keys" };
    expect(await create(elsewhere)).toMatchObject({ kind: "ok" });
  });

  // proves TOK-05
  it("refuses a rule that admits everybody, and names what to write", async () => {
    const { make } = setUp();
    await expect(make({ subject: "repo:*" })).rejects.toThrow(
      "names no owner: write a subject such as repo:",
    );
  });

  // proves TOK-05
  it.each(["iss", "aud", "sub", "exp", "iat", "nbf", "jti", "azp", "scope"])(
    "refuses the claim %s, which narrows nothing, and says which fields judge tokens",
    async (name) => {
      const { make } = setUp();
      await expect(make({ claims: { [name]: "1*" } })).rejects.toThrow(
        "the fields issuer, audience and subject judge iss, aud and sub",
      );
    },
  );

  // proves TOK-06
  it("gives no more than a key that its maker could make", async () => {
    const { ports } = setUp();
    const parsed = parseTrustRuleCreation({ ...RULE, role: "admin" });
    if (!parsed.ok) return expect.unreachable();
    const admin = adminPrincipal();
    const forbidden = { kind: "problem", problem: { code: "forbidden" } };
    expect(await createTrustRule(ports, admin, parsed.value)).toMatchObject(forbidden);
    const ending = adminPrincipal({ expires_at: "2030-01-01T00:00:00.000Z" });
    expect(await createTrustRule(ports, ending, { ...parsed.value, role: "ci" })).toMatchObject(forbidden);
  });
});
