import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { DEFAULT_STORE_LIMITS } from "../default-limits.ts";
import type { RememberedAnswer, RequestClaim } from "../ports/request-key-store.ts";
import type { ContractSubject } from "./contract-subject.ts";

const NOW_MS = 1_000_000;

const ANSWER: RememberedAnswer = {
  status: 201,
  headers: { "content-type": "application/json", etag: '"1"' },
  body: new TextEncoder().encode('{"id":"p\u00e9"}'),
};

function claim(org: string, changes: Partial<RequestClaim> = {}): RequestClaim {
  return {
    org,
    principal: "key_1",
    keyDigest: "key-digest",
    attempt: "attempt-1",
    operation: "createPolicy",
    requestDigest: "request-1",
    atMs: NOW_MS,
    expiresAtMs: NOW_MS + 1_000,
    replaces: null,
    ...changes,
  };
}

export function requestKeyContract(subject: ContractSubject): void {
  const keys = () => subject.store().requestKeys;

  describe("RequestKeyStore", () => {
    it("gives a key to one of many attempts at once", async () => {
      const org = randomUUID();
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, async (_, at) =>
          keys().begin(claim(org, { attempt: `attempt-${String(at)}` })),
        ),
      );
      expect(outcomes.filter(({ kind }) => kind === "begun")).toHaveLength(1);
      const others = outcomes.filter(({ kind }) => kind !== "begun");
      const attempt = expect.stringMatching(/^attempt-[0-9]+$/);
      expect(others).toEqual(Array(19).fill({ kind: "unanswered", attempt, startedAtMs: NOW_MS }));
    });

    it("answers a repeat with the remembered answer, to the byte", async () => {
      const org = randomUUID();
      const first = claim(org);
      await keys().begin(first);
      await keys().finish({ ...first, answer: ANSWER });
      expect(await keys().begin(claim(org, { attempt: "attempt-2" }))).toEqual({
        kind: "answered",
        answer: ANSWER,
      });
    });

    it("remembers that an answer was too long", async () => {
      const org = randomUUID();
      await keys().begin(claim(org));
      await keys().finish({ ...claim(org), answer: { ...ANSWER, body: null } });
      expect(await keys().begin(claim(org))).toEqual({ kind: "answered", answer: { ...ANSWER, body: null } });
    });

    it("tells another request under the same key from a repeat", async () => {
      const org = randomUUID();
      await keys().begin(claim(org));
      const other = claim(org, { requestDigest: "request-2", operation: "createNamespace" });
      const refusal = { kind: "other_request", operation: "createPolicy" };
      expect(await keys().begin(other)).toEqual(refusal);
      await keys().finish({ ...claim(org), answer: ANSWER });
      expect(await keys().begin(other)).toEqual(refusal);
    });

    it.each([
      ["organization", { org: randomUUID() }],
      ["principal", { principal: "key_2" }],
      ["key", { keyDigest: "key-digest-2" }],
    ])("keeps requests of another %s apart", async (_name, changes) => {
      const org = randomUUID();
      await keys().begin(claim(org));
      expect(await keys().begin(claim(org, changes))).toEqual({ kind: "begun" });
    });

    it("frees a key that its attempt releases, and no answered one", async () => {
      const org = randomUUID();
      await keys().begin(claim(org));
      await keys().release(claim(org, { attempt: "attempt-9" }));
      expect(await keys().begin(claim(org))).toMatchObject({ kind: "unanswered" });
      await keys().release(claim(org));
      expect(await keys().begin(claim(org))).toEqual({ kind: "begun" });
      await keys().finish({ ...claim(org), answer: ANSWER });
      await keys().release(claim(org));
      expect(await keys().begin(claim(org))).toMatchObject({ kind: "answered" });
    });

    it("gives the key of an attempt without an answer to the one that replaces it", async () => {
      const org = randomUUID();
      await keys().begin(claim(org));
      const replacing = async (replaces: string | null, attempt: string) =>
        keys().begin(claim(org, { attempt, atMs: NOW_MS + 500, replaces }));
      expect(await replacing(null, "attempt-2")).toMatchObject({ kind: "unanswered" });
      expect(await replacing("attempt-0", "attempt-2")).toMatchObject({ kind: "unanswered" });
      const both = await Promise.all([
        replacing("attempt-1", "attempt-2"),
        replacing("attempt-1", "attempt-3"),
      ]);
      expect(both.map(({ kind }) => kind).toSorted()).toEqual(["begun", "unanswered"]);
      // The first attempt no longer has the key: its late answer is not remembered.
      await keys().finish({ ...claim(org), answer: ANSWER });
      expect(await keys().begin(claim(org))).toMatchObject({ kind: "unanswered", startedAtMs: NOW_MS + 500 });
    });

    it("takes an expired key as new, and sweeps it", async () => {
      const org = randomUUID();
      await keys().begin(claim(org));
      await keys().finish({ ...claim(org), answer: ANSWER });
      const later = { attempt: "attempt-2", atMs: NOW_MS + 1_000, requestDigest: "request-2" };
      expect(await keys().begin(claim(org, { ...later, expiresAtMs: NOW_MS + 1_001 }))).toEqual({
        kind: "begun",
      });
      const place = await subject.newPlace();
      const store = await place.open();
      for (const keyDigest of ["a", "b", "c"]) {
        await store.requestKeys.begin(claim(org, { keyDigest, expiresAtMs: NOW_MS + 10 }));
      }
      const sweep = async (atMs: number) => store.requestKeys.removeExpired(atMs, 2);
      expect([await sweep(NOW_MS + 9), await sweep(NOW_MS + 10), await sweep(NOW_MS + 10)]).toEqual([
        0, 2, 1,
      ]);
      await store.close();
      await place.remove();
    });

    it("stops at the limit of keys, per principal, and never for a repeat", async () => {
      const place = await subject.newPlace();
      const store = await place.open({ limits: { ...DEFAULT_STORE_LIMITS, requestKeys: 2 } });
      const begin = async (changes: Partial<RequestClaim>) =>
        (await store.requestKeys.begin(claim("org", changes))).kind;
      const later = { atMs: NOW_MS + 1_000, expiresAtMs: NOW_MS + 2_000 };
      expect([
        await begin({ keyDigest: "1" }),
        await begin({ keyDigest: "2" }),
        await begin({ keyDigest: "3" }),
        await begin({ keyDigest: "3", principal: "key_2" }),
        await begin({ keyDigest: "1" }),
        await begin({ keyDigest: "3", ...later }),
      ]).toEqual(["begun", "begun", "too_many", "begun", "unanswered", "begun"]);
      await store.close();
      await place.remove();
    });

    it("keeps its keys over a restart", async () => {
      const place = await subject.newPlace();
      const opened = await place.open();
      await opened.requestKeys.begin(claim("org"));
      await opened.close();
      const again = await place.open();
      expect(await again.requestKeys.begin(claim("org", { attempt: "attempt-2" }))).toEqual({
        kind: "unanswered",
        attempt: "attempt-1",
        startedAtMs: NOW_MS,
      });
      await again.close();
      await place.remove();
    });
  });
}
