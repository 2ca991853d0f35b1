import type { IncomingMessage } from "node:http";
import { type ApiKey, formatApiKey, newApiKey, parseApiKey, secretDigest } from "@svc/control-plane/api-key";
import { describe, expect, it } from "vitest";
import { bearerAuthentication, openAuthentication } from "./authentication.ts";

const KEY: ApiKey = newApiKey();
const OTHER: ApiKey = newApiKey();
const stored = {
  id: KEY.id,
  org: "acme",
  origin: "managed",
  role: "admin",
  secretSha256: secretDigest(KEY.secret),
  createdAt: "2026-01-01T00:00:00.000Z",
} as const;

function request(headers: Record<string, string | string[]>): IncomingMessage {
  const all = Object.entries(headers).flatMap(([name, value]) => [value].flat().map((one) => [name, one]));
  const { host } = headers;
  return { headers: { host }, rawHeaders: all.flat() } as unknown as IncomingMessage;
}

const bearer = (key: ApiKey) => `Bearer ${formatApiKey(key)}`;

describe("bearerAuthentication", () => {
  const authenticate = bearerAuthentication([stored]);

  // proves AUTH-02
  it("takes the organization from the key", () => {
    const expected = { kind: "principal", principal: { id: KEY.id, org: "acme" } };
    expect(authenticate(request({ authorization: bearer(KEY) }))).toEqual(expected);
    expect(authenticate(request({ authorization: bearer(KEY), "x-svc-org-id": "acme" }))).toEqual(expected);
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
        authorization: bearer({ ...KEY, secret: Buffer.from(stored.secretSha256).toString("hex") }),
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

describe("openAuthentication", () => {
  const authenticate = openAuthentication();

  it.each(["localhost", "localhost:8080", "127.0.0.1:1", "[::1]:8080", "LOCALHOST:8080"])(
    "lets %s in",
    (host) => {
      expect(authenticate(request({ host }))).toMatchObject({
        kind: "principal",
        principal: { id: "anonymous" },
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
