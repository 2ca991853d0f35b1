import type { IncomingMessage } from "node:http";
import { adminPrincipal } from "@svc/contract/testing/principals";
import { loadAtOnce } from "@svc/control-feed/testing/load-at-once";
import { type ApiKey, formatApiKey, newApiKey, parseApiKey, secretDigest } from "@svc/control-plane/api-key";
import type { StoredKey } from "@svc/store/ports/key-store";
import { apiKey } from "@svc/store/testing/records";
import { describe, expect, it } from "vitest";
import { type Authenticate, bearerAuthentication, openAuthentication } from "./authentication.ts";
import { KeyIndex } from "./key-index.ts";

const NOW = "2026-01-01T00:00:10.000Z";
const SOON = "2026-01-01T00:00:10.001Z";

const KEY: ApiKey = newApiKey();
const OTHER: ApiKey = newApiKey();
const secret = (text: string, expires_at: string | null = null) => ({
  digest: secretDigest(text),
  created_at: NOW,
  expires_at,
});
const stored = apiKey(KEY.id, { org: "acme", role: "admin", secrets: [secret(KEY.secret)] });

function request(headers: Record<string, string | string[]>): IncomingMessage {
  const all = Object.entries(headers).flatMap(([name, value]) => [value].flat().map((one) => [name, one]));
  const { host } = headers;
  return { headers: { host }, rawHeaders: all.flat() } as unknown as IncomingMessage;
}

/** The head of a client that sends the same bytes again and again. */
function repeatedHead(headers: Record<string, string>): IncomingMessage {
  const head = request(headers);
  return Object.assign(head, { steady: { text: head, readings: new Map() } });
}

const bearer = (key: ApiKey) => `Bearer ${formatApiKey(key)}`;

/** Authentication by these keys, with a clock and an age of control state that the test moves. */
function setUp(...keys: readonly StoredKey[]) {
  const index = new KeyIndex();
  loadAtOnce(index, {
    revision: 1,
    changes: keys.map((key) => ({ org: key.org, change: { kind: "key", key } })),
  });
  const time = { now: NOW, ageMs: 0 };
  const authenticators = bearerAuthentication({
    keys: index,
    followed: time,
    clock: { now: () => new Date(time.now) },
  });
  const change = (key: StoredKey): void =>
    index.apply({ revision: index.revision + 1, org: key.org, change: { kind: "key", key } });
  return { ...authenticators, time, change };
}

const ask = (authenticate: Authenticate, key: ApiKey) =>
  authenticate(request({ authorization: bearer(key) }));

/** What a request is answered: its principal, or the code of the problem. */
function outcomeOf(authenticate: Authenticate, key: ApiKey): string {
  const found = ask(authenticate, key);
  return found.kind === "principal" ? found.principal.id : found.problem.code;
}

describe("bearerAuthentication", () => {
  const { verified: authenticate } = setUp(stored);

  // proves AUTH-02
  it("takes the organization from the key", () => {
    const expected = { kind: "principal", principal: adminPrincipal({ id: KEY.id, org: "acme" }) };
    expect(authenticate(request({ authorization: bearer(KEY) }))).toMatchObject(expected);
    expect(authenticate(request({ authorization: bearer(KEY), "x-svc-org-id": "acme" }))).toMatchObject(
      expected,
    );
  });

  // proves OPS-67
  it("judges a head that comes again as if it came for the first time", () => {
    const { lastKnown, change } = setUp(stored);
    const codeOf = (head: IncomingMessage): string => {
      const found = lastKnown(head);
      return found.kind === "principal" ? found.principal.id : found.problem.code;
    };
    const head = repeatedHead({ authorization: bearer(KEY) });
    const foreign = repeatedHead({ authorization: bearer(KEY), "x-svc-org-id": "other" });
    const wrong = repeatedHead({ authorization: bearer({ ...KEY, secret: OTHER.secret }) });
    const both = (each: IncomingMessage) => [codeOf(each), codeOf(each)];
    expect(both(head)).toEqual([KEY.id, KEY.id]);
    expect(both(foreign)).toEqual(["org_mismatch", "org_mismatch"]);
    expect(both(wrong)).toEqual(["unauthenticated", "unauthenticated"]);
    change({ ...stored, secrets: [secret(OTHER.secret)] });
    expect([codeOf(head), codeOf(wrong)]).toEqual(["unauthenticated", KEY.id]);
    change({ ...stored, revoked_at: NOW });
    expect([codeOf(head), codeOf(wrong)]).toEqual(["unauthenticated", "unauthenticated"]);
  });

  // proves AUTH-02
  it("K3: refuses a request that names another organization", () => {
    const refused = authenticate(request({ authorization: bearer(KEY), "x-svc-org-id": "other" }));
    expect(refused).toMatchObject({ kind: "problem", problem: { code: "org_mismatch" } });
  });

  // proves AUTH-01
  it.each([
    ["no header", {}],
    ["an empty header", { authorization: "" }],
    ["another scheme", { authorization: `Basic ${formatApiKey(KEY)}` }],
    ["no scheme", { authorization: formatApiKey(KEY) }],
    ["an unknown id", { authorization: bearer(OTHER) }],
    ["a known id with another secret", { authorization: bearer({ ...KEY, secret: OTHER.secret }) }],
    [
      "K2: the stored hash in place of the secret",
      {
        authorization: bearer({ ...KEY, secret: secretDigest(KEY.secret) }),
      },
    ],
    ["a cut secret", { authorization: bearer(KEY).slice(0, -1) }],
    ["a longer secret", { authorization: `${bearer(KEY)}0` }],
    ["two keys in one header", { authorization: `${bearer(KEY)}, ${bearer(KEY)}` }],
  ])("M20: refuses %s", (_name, headers) => {
    expect(authenticate(request(headers))).toMatchObject({
      kind: "problem",
      problem: { code: "unauthenticated" },
    });
  });

  it("refuses two headers, even when both are right", () => {
    const headers = { authorization: [bearer(KEY), bearer(KEY)] };
    expect(authenticate(request(headers))).toMatchObject({
      kind: "problem",
      problem: { code: "invalid_header" },
    });
  });
});

describe("the end of a key", () => {
  // proves KEY-04
  it("a revocation is in force when its event is applied, for requests to come and under way", () => {
    const { verified, lastKnown, change } = setUp(stored);
    const underWay = ask(lastKnown, KEY);
    expect(underWay.kind === "principal" && underWay.refusal()).toBeNull();
    change({ ...stored, revoked_at: NOW, revoked_by: "x", secrets: [] });
    expect([outcomeOf(verified, KEY), outcomeOf(lastKnown, KEY)]).toEqual([
      "unauthenticated",
      "unauthenticated",
    ]);
    expect(underWay).toMatchObject({ kind: "principal" });
    expect(underWay.kind === "principal" && underWay.refusal()).toMatchObject({ code: "unauthenticated" });
  });

  // proves KEY-06
  it("a key expires at its millisecond, without any event", () => {
    const { verified, time } = setUp({ ...stored, expires_at: SOON });
    const underWay = ask(verified, KEY);
    expect(outcomeOf(verified, KEY)).toBe(KEY.id);
    time.now = SOON;
    expect(outcomeOf(verified, KEY)).toBe("unauthenticated");
    expect(underWay.kind === "principal" && underWay.refusal()).toMatchObject({ code: "unauthenticated" });
  });

  // proves KEY-03
  it("a rotated secret works until its overlap ends, and its key goes on with the new one", () => {
    const { verified, time, change } = setUp(stored);
    change({ ...stored, secrets: [secret(KEY.secret, SOON), secret(OTHER.secret)] });
    const renewed = { ...KEY, secret: OTHER.secret };
    expect([outcomeOf(verified, KEY), outcomeOf(verified, renewed)]).toEqual([KEY.id, KEY.id]);
    time.now = SOON;
    expect([outcomeOf(verified, KEY), outcomeOf(verified, renewed)]).toEqual(["unauthenticated", KEY.id]);
  });

  it("a secret never outlives its key", () => {
    const { verified } = setUp({ ...stored, expires_at: NOW });
    expect(outcomeOf(verified, KEY)).toBe("unauthenticated");
  });

  it("K4: a secret of one key does not open another key", () => {
    const { verified } = setUp(stored, apiKey(OTHER.id, { secrets: [secret(OTHER.secret)] }));
    expect(outcomeOf(verified, { id: KEY.id, secret: OTHER.secret })).toBe("unauthenticated");
  });
});

describe("a key while control state is not verified", () => {
  // proves KEY-08
  it("is accepted by no route that does not deny by itself, and allows nothing under way", () => {
    const { verified, lastKnown, time } = setUp(stored);
    const underWay = ask(lastKnown, KEY);
    time.ageMs = 1_501;
    expect([outcomeOf(verified, KEY), outcomeOf(lastKnown, KEY)]).toEqual(["unavailable", KEY.id]);
    expect(underWay.kind === "principal" && underWay.refusal()).toMatchObject({ code: "unavailable" });
    expect(outcomeOf(verified, OTHER)).toBe("unauthenticated");
  });
});

describe("openAuthentication", () => {
  const { verified: authenticate } = openAuthentication();

  it.each(["localhost", "localhost:8080", "127.0.0.1:1", "[::1]:8080", "LOCALHOST:8080"])(
    "lets %s in",
    (host) => {
      expect(authenticate(request({ host }))).toMatchObject({
        kind: "principal",
        principal: adminPrincipal({ id: "anonymous" }),
      });
    },
  );

  // proves AUTH-06
  it.each([
    "",
    "evil.example",
    "localhost.evil.example",
    "127.0.0.1.evil.example:8080",
    "127.0.0.2",
    "[::2]",
  ])("M12: refuses Host %j", (host) => {
    expect(authenticate(request({ host }))).toMatchObject({
      kind: "problem",
      problem: { code: "host_not_allowed" },
    });
  });
});

describe("API keys", () => {
  it("survive formatting and parsing, and differ each time", () => {
    expect(parseApiKey(formatApiKey(KEY))).toEqual(KEY);
    expect(KEY.secret).toHaveLength(64);
    expect(KEY.secret).not.toBe(OTHER.secret);
  });
});
