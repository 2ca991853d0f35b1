import type { IncomingMessage } from "node:http";
import { problem } from "@svc/contract/problem";
import { adminPrincipal } from "@svc/contract/testing/principals";
import { FakeTime } from "@svc/control-plane/testing/fake-time";
import { describe, expect, it } from "vitest";
import type { Authenticate } from "../authentication.ts";
import { limitGuesses } from "./guess-limits.ts";

const SECRET = "s".repeat(43);
const PROXY = "10.9.9.9";
const VALID = `Bearer svc_alice_${SECRET}`;
const guess = (id: string, n: number) => `Bearer svc_${id}_${String(n).padStart(43, "0")}`;

/** Authenticates by the secret alone. */
function limited() {
  const time = new FakeTime();
  const authenticate: Authenticate = ({ headers }) => {
    if (headers.authorization?.endsWith(SECRET) === true)
      return { kind: "principal", principal: adminPrincipal({ id: "alice" }), refusal: () => null };
    return { kind: "problem", problem: problem("unauthenticated", "no") };
  };
  const trustedProxies = { has: (address: string) => address === PROXY };
  const check = limitGuesses(authenticate, time, { trustedProxies });
  const ask = (authorization: string | null, peer = "10.0.0.1") => {
    const headers = authorization === null ? {} : { authorization };
    const request = { headers, rawHeaders: Object.entries(headers).flat(), socket: { remoteAddress: peer } };
    const answer = check(request as unknown as IncomingMessage);
    return answer.kind === "problem" ? answer.problem.code : "accepted";
  };
  return { time, ask };
}

describe("guesses of a key", () => {
  // proves API-28
  it("are refused as too many after some from one address, and then five in a second", async () => {
    const { ask, time } = limited();
    for (let n = 0; n < 200; n += 1) expect(ask(guess("alice", n))).toBe("unauthenticated");
    for (let n = 200; n < 300; n += 1) expect(ask(guess("alice", n))).toBe("too_many_requests");
    await time.advance(1_000);
    const later = Array.from({ length: 6 }, (_, n) => ask(guess("alice", n)));
    expect(later.filter((code) => code === "unauthenticated")).toHaveLength(5);
  });

  // proves API-28
  it("never lock out a valid key behind the same proxy, also when it was never seen before", () => {
    const { ask } = limited();
    for (let n = 0; n < 1_000; n += 1) ask(guess("alice", n));
    expect(ask(VALID)).toBe("accepted");
    expect(ask(`Bearer svc_bob1_${SECRET}`)).toBe("accepted");
  });

  it("show no difference between ids that exist and others", () => {
    const [known, unknown] = ["alice", "nobody"].map((id) => {
      const { ask } = limited();
      return Array.from({ length: 300 }, (_, n) => ask(guess(id, n)));
    });
    expect(known).toEqual(unknown);
  });
});

describe("requests without a key", () => {
  it("are refused as too many after some from one address, and valid keys from there are not", () => {
    const { ask } = limited();
    const codes = Array.from({ length: 300 }, () => ask(null));
    expect(codes.filter((code) => code === "unauthenticated")).toHaveLength(200);
    expect(codes.at(-1)).toBe("too_many_requests");
    expect(ask(VALID)).toBe("accepted");
    expect(ask(null, "10.0.0.2")).toBe("unauthenticated");
  });

  it("of one IPv6 network count together, those of IPv4 addresses do not", () => {
    const { ask } = limited();
    for (let n = 0; n < 300; n += 1) {
      ask(null, `2001:db8::${n.toString(16)}`);
      ask(null, `::ffff:10.1.0.${String(n % 250)}`);
    }
    expect(ask(null, "2001:db8:0:0:ffff::1")).toBe("too_many_requests");
    expect(ask(null, "2001:db8:0:1::1")).toBe("unauthenticated");
    expect(ask(null, "2001:db9::1")).toBe("unauthenticated");
    expect(ask(null, "::ffff:10.1.0.1")).toBe("unauthenticated");
    expect(ask(null, "::1")).toBe("unauthenticated");
  });

  // proves FAIR-20
  it("are never too many from a trusted proxy", () => {
    const { ask } = limited();
    const codes = Array.from({ length: 300 }, () => ask(null, PROXY));
    expect(new Set(codes)).toEqual(new Set(["unauthenticated"]));
  });
});
