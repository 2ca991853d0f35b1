import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from "jose";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { IssuerTokens } from "./issuer-tokens.ts";

const ISSUER = "https://issuer.example";
const AUDIENCE = "https://svc.example";
const NOW_S = 1_800_000_000;

interface Signing {
  readonly kid: string;
  readonly privateKey: Awaited<ReturnType<typeof generateKeyPair>>["privateKey"];
  readonly jwk: object;
}

async function signing(kid: string, alg = "ES256"): Promise<Signing> {
  const { publicKey, privateKey } = await generateKeyPair(alg);
  return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: "sig" } };
}

/** An issuer whose keys and documents a test changes. */
async function issuer() {
  const first = await signing("first");
  let nowMs = 0;
  let asked = 0;
  const state = {
    keys: [first],
    documents: { issuer: ISSUER, jwks_uri: `${ISSUER}/keys` } as object,
    isAway: false,
  };
  const tokens = new IssuerTokens({
    fetch: async (url) => {
      asked += 1;
      if (state.isAway) throw new TypeError("no answer within 5000 ms");
      const isKeys = String(url) === `${ISSUER}/keys`;
      return Response.json(isKeys ? { keys: state.keys.map(({ jwk }) => jwk) } : state.documents);
    },
    clock: { nowMs: () => nowMs, now: () => new Date(NOW_S * 1_000) },
  });
  const sign = (changed: object = {}, by: Signing = first): Promise<string> =>
    new SignJWT({ iss: ISSUER, aud: AUDIENCE, sub: "repo:acme/x", iat: NOW_S, exp: NOW_S + 300, ...changed })
      .setProtectedHeader({ alg: "ES256", kid: by.kid })
      .sign(by.privateKey);
  const prove = (token: string, audience = AUDIENCE) =>
    tokens.prove({ token, issuer: ISSUER, audience, jwksUri: null });
  return { tokens, state, first, sign, prove, asked: () => asked, pass: (ms: number) => void (nowMs += ms) };
}

describe("tokens of an issuer", () => {
  // proves TOK-03
  it("are proved by a key that the issuer publishes, and its keys are asked for once", async () => {
    const { sign, prove, asked, tokens } = await issuer();
    expect(await prove(await sign())).toMatchObject({ kind: "proved", claims: { sub: "repo:acme/x" } });
    expect(await prove(await sign({ sub: "other" }))).toMatchObject({ kind: "proved" });
    expect(asked()).toBe(2);
    expect(await tokens.read(await sign())).toEqual({
      issuer: ISSUER,
      subject: "repo:acme/x",
      audiences: [AUDIENCE],
    });
  });

  // proves TOK-03
  it.each<readonly [why: string, claims: object, reason: RegExp]>([
    ["that another issuer made", { iss: "https://other.example" }, /"iss" claim/],
    ["for somebody else", { aud: "https://else.example" }, /"aud" claim/],
    ["without an end", { exp: undefined }, /"exp"/],
    ["without a subject", { sub: undefined }, /"sub"/],
    ["that ended", { exp: NOW_S - 61 }, /ended at 2027-01-15T07:58:59.000Z, and the clock .*T08:00:00/],
    ["that is not valid yet", { nbf: NOW_S + 61 }, /one of the two clocks is wrong/],
    ["from the future", { iat: NOW_S + 61 }, /one of the two clocks is wrong/],
    ["that is too old", { iat: NOW_S - 25 * 3_600 - 61 }, /was made at .*T06:58:59.000Z.*25 hours/],
    ["without the time when it was made", { iat: undefined }, /missing required "iat"/],
    ["with a time in words", { nbf: "soon" }, /"nbf" claim must be a number/],
  ])("prove nothing %s", async (_why, claims, reason) => {
    const { sign, prove } = await issuer();
    const refused = await prove(await sign(claims));
    expect(refused).toEqual({ kind: "refused", reason: expect.stringMatching(reason) as string });
  });

  it.each([{ exp: NOW_S - 59 }, { nbf: NOW_S + 59 }, { iat: NOW_S + 59 }])(
    "are proved within a minute of clock skew: %j",
    async (claims) => {
      const { sign, prove } = await issuer();
      expect(await prove(await sign(claims))).toMatchObject({ kind: "proved" });
    },
  );

  // proves TOK-03
  it("prove nothing without a signature, with a secret, or with a key of somebody else", async () => {
    const { prove, first } = await issuer();
    const claims = { iss: ISSUER, aud: AUDIENCE, sub: "s", iat: NOW_S, exp: NOW_S + 60 };
    const none = new UnsecuredJWT(claims).encode();
    const secret = await new SignJWT(claims)
      .setProtectedHeader({ alg: "HS256", kid: first.kid })
      .sign(new TextEncoder().encode(JSON.stringify(first.jwk)));
    const stranger = await signing("first");
    const forged = await new SignJWT(claims)
      .setProtectedHeader({ alg: "ES256", kid: "first" })
      .sign(stranger.privateKey);
    for (const token of [none, secret, forged]) expect(await prove(token)).toMatchObject({ kind: "refused" });
  });

  it("are proved by a key that was rotated in, and not by one that was withdrawn", async () => {
    const { sign, prove, state, first, pass } = await issuer();
    expect(await prove(await sign())).toMatchObject({ kind: "proved" });
    const second = await signing("second");
    state.keys = [second];
    // The keys were asked for just now, and nobody may have them asked for again so soon.
    expect(await prove(await sign({}, second))).toEqual({ kind: "unknown_key", retryS: 30 });
    pass(60 * 60 * 1_000);
    expect(await prove(await sign({}, second))).toMatchObject({ kind: "proved" });
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 31_000 });
    onTestFinished(() => void vi.useRealTimers());
    expect(await prove(await sign({}, first))).toMatchObject({
      kind: "refused",
      reason: "its issuer has no key that could have signed it",
    });
  });

  it("are not judged while the issuer is away, or says that it is another one", async () => {
    const { sign, prove, state } = await issuer();
    state.isAway = true;
    expect(await prove(await sign())).toMatchObject({
      kind: "unreachable",
      reason: expect.stringMatching(/no answer within/) as string,
    });
    state.isAway = false;
    state.documents = { issuer: "https://other.example", jwks_uri: `${ISSUER}/keys` };
    expect(await prove(await sign())).toMatchObject({
      kind: "unreachable",
      reason: expect.stringMatching(/expected the issuer/) as string,
    });
    state.documents = { issuer: ISSUER };
    expect(await prove(await sign())).toMatchObject({
      kind: "unreachable",
      reason: expect.stringMatching(/jwks_uri/) as string,
    });
  });
});
