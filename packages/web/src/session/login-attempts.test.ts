import { expect, it } from "vitest";
import { LoginAttempts } from "./login-attempts.ts";
import { PageKey } from "./page-key.ts";

const TO = { provider: 0, to: "/approvals" };

const START_MS = 1_800_000_000_000;

/** Attempts of a process of its own, at this time. */
function processAt(ms: number, hex = "ab".repeat(32)): LoginAttempts {
  return new LoginAttempts(new PageKey(hex), { now: () => new Date(START_MS + ms) });
}

// proves PEO-05, PEO-10
it("an attempt is finished by each process, for its browser, its provider and ten minutes", () => {
  const begun = processAt(0).begin("browser", TO);
  expect(begun).toMatchObject(TO);
  expect(begun.verifier).toMatch(/^[\w-]{43}$/);
  expect(new Set([begun.state, begun.nonce, begun.verifier]).size).toBe(3);
  const other = processAt(599_999);
  expect(other.find(begun.state, "browser", 0)).toEqual(begun);
  expect(other.find(begun.state, "other", 0)).toBeNull();
  expect(other.find(begun.state, null, 0)).toBeNull();
  expect(other.find(begun.state, "browser", 1)).toBeNull();
  expect(other.find("", "browser", 0)).toBeNull();
  expect(processAt(600_000).find(begun.state, "browser", 0)).toBeNull();
  expect(processAt(0, "cd".repeat(32)).find(begun.state, "browser", 0)).toBeNull();
});

it("two logins of one browser have states, nonces and verifiers of their own", () => {
  const attempts = processAt(0);
  const [one, other] = [attempts.begin("browser", TO), attempts.begin("browser", TO)];
  expect(attempts.find(one.state, "browser", 0)).toEqual(one);
  expect(new Set([one, other].flatMap(({ state, nonce, verifier }) => [state, nonce, verifier])).size).toBe(
    6,
  );
});
