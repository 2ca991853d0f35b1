import { MAX_REMEMBERED_ANSWER_BYTES } from "@svc/contract/limits";
import { type ProblemCode, problem } from "@svc/contract/problem";
import { FakeTime } from "@svc/control-plane/testing/fake-time";
import type { RequestKeyStore } from "@svc/store/ports/request-key-store";
import { MemoryDatabase, type MemoryStore } from "@svc/store/testing/memory-store";
import { pino } from "pino";
import { describe, expect, it } from "vitest";
import type { AnyReply } from "../routes/handler.ts";
import { AnswerOnce, type KeyedRequest, type OnceReply } from "./answer-once.ts";

const CREATED: AnyReply = { kind: "json", status: 201, body: { id: "a" }, headers: { etag: '"1"' } };

function keyed(changed: Partial<KeyedRequest> = {}): KeyedRequest {
  return {
    principal: { org: "default", id: "key_1" },
    operation: "createPolicy",
    keyDigest: "key",
    requestDigest: "request",
    mayRepeat: false,
    ...changed,
  };
}

/** A process with its own memory over a database that outlives it. */
function serverOn(
  { requestKeys }: MemoryStore,
  changed: Partial<RequestKeyStore> = {},
  time = new FakeTime(),
) {
  let runs = 0;
  const keys = { ...requestKeys, ...changed };
  const once = new AnswerOnce({ keys, clock: time, log: pino({ enabled: false }) });
  const run = (request: KeyedRequest, reply: AnyReply | Error = CREATED): Promise<OnceReply> =>
    once.run(request, async () => {
      runs += 1;
      if (reply instanceof Error) throw reply;
      return reply;
    });
  return { once, run, runs: () => runs, time };
}

const open = () => new MemoryDatabase().open();
const codeOf = ({ reply }: OnceReply) => (reply.kind === "problem" ? reply.problem.code : reply.kind);

function refusal(code: ProblemCode): AnyReply {
  return { kind: "problem", problem: problem(code, "because") };
}

async function failing(): Promise<never> {
  throw new Error("the store is away");
}

describe("a repeated request", () => {
  // proves API-20
  it("gets the same answer again, and runs once", async () => {
    const { run, runs } = serverOn(open());
    expect(await run(keyed())).toEqual({ reply: CREATED, isRepeated: false });
    expect(await run(keyed())).toEqual({
      isRepeated: true,
      reply: {
        kind: "text",
        status: 201,
        mediaType: "application/json",
        text: '{"id":"a"}',
        headers: { etag: '"1"' },
      },
    });
    expect(runs()).toBe(1);
  });

  it("gets it from another process, too", async () => {
    const store = open();
    await serverOn(store).run(keyed());
    const other = serverOn(store);
    expect(await other.run(keyed())).toMatchObject({ isRepeated: true });
    expect(other.runs()).toBe(0);
  });

  it("gets a text as it was", async () => {
    const reply: AnyReply = {
      kind: "text",
      status: 201,
      mediaType: "text/plain; charset=utf-8",
      text: "\u00e9",
    };
    const { run } = serverOn(open());
    await run(keyed(), reply);
    expect((await run(keyed())).reply).toEqual({ ...reply, headers: {} });
  });

  // proves API-21
  it.each([
    ["of the same operation", "createPolicy", "another request for createPolicy"],
    ["of another operation", "createNamespace", "a request for createPolicy"],
  ])("that is another one, %s, is refused", async (_name, operation, what) => {
    const { run, runs } = serverOn(open());
    await run(keyed());
    const { reply } = await run(keyed({ operation, requestDigest: "other" }));
    expect(reply).toMatchObject({
      problem: { code: "idempotency_key_reused", status: 422, detail: expect.stringContaining(what) },
    });
    expect(runs()).toBe(1);
  });

  it.each([
    ["organization", { principal: { org: "other", id: "key_1" } }],
    ["API key", { principal: { org: "default", id: "key_2" } }],
    ["Idempotency-Key", { keyDigest: "other" }],
  ])("of another %s runs", async (_name, changed) => {
    const { run, runs } = serverOn(open());
    await run(keyed());
    expect(await run(keyed(changed))).toEqual({ reply: CREATED, isRepeated: false });
    expect(runs()).toBe(2);
  });

  it("runs again after 24 hours", async () => {
    const { run, runs, time } = serverOn(open());
    await run(keyed());
    time.wallEpochMs += 24 * 60 * 60 * 1_000 - 1;
    expect((await run(keyed())).isRepeated).toBe(true);
    time.wallEpochMs += 1;
    expect((await run(keyed())).isRepeated).toBe(false);
    expect(runs()).toBe(2);
  });

  // proves API-22
  it.each(["key", "secret"])("gets no %s that was shown once, and the store never has it", async (member) => {
    const store = open();
    const { run } = serverOn(store);
    const body = { kind: "issued", id: "k1", [member]: "svc_k1_TOPSECRET" };
    expect((await run(keyed(), { kind: "json", status: 201, body })).reply).toMatchObject({ body });
    const { reply } = await run(keyed());
    expect(JSON.parse(reply.kind === "text" ? reply.text : "")).toEqual({
      kind: "repeated",
      id: "k1",
      detail: expect.stringContaining("in its first answer alone"),
    });
    const rows = store.connection.prepare("SELECT CAST(body AS TEXT) AS body FROM request_keys").all();
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain("TOPSECRET");
  });

  it("whose answer was too long is told where to look", async () => {
    const { run, runs } = serverOn(open());
    const body = { text: "x".repeat(MAX_REMEMBERED_ANSWER_BYTES) };
    const headers = { location: "/api/v1/policies/p" };
    await run(keyed(), { kind: "json", status: 201, body, headers });
    expect((await run(keyed())).reply).toMatchObject({
      problem: { status: 409, detail: expect.stringContaining("Read /api/v1/policies/p") },
    });
    expect(runs()).toBe(1);
  });
});

describe("a refused request", () => {
  it.each<ProblemCode>(["invalid_request", "not_found", "conflict", "limit_reached", "compiler_unavailable"])(
    "frees its key, because nothing was changed: %s",
    async (code) => {
      const { run, runs } = serverOn(open());
      expect((await run(keyed(), refusal(code))).reply).toEqual(refusal(code));
      expect(await run(keyed({ requestDigest: "corrected" }))).toMatchObject({ reply: CREATED });
      expect(runs()).toBe(2);
    },
  );

  // proves API-23
  it.each<[string, AnyReply | Error]>([
    ["the store did not confirm", refusal("unavailable")],
    ["failed", refusal("internal_error")],
    ["threw", new Error("defect")],
  ])("that %s is not run again, because it may have taken effect", async (_name, reply) => {
    const { run, runs } = serverOn(open());
    await run(keyed(), reply).catch(() => undefined);
    expect(codeOf(await run(keyed()))).toBe("outcome_unknown");
    expect(runs()).toBe(1);
  });
});

describe("a request in flight", () => {
  // proves API-20
  it("lets no other one run, and says when to ask again", async () => {
    const { once, run, runs } = serverOn(open());
    const first = Promise.withResolvers<AnyReply>();
    const running = once.run(keyed(), () => first.promise);
    await expect.poll(async () => codeOf(await run(keyed()))).toBe("request_in_flight");
    expect((await run(keyed())).reply).toMatchObject({ headers: { "retry-after": "1" } });
    first.resolve(CREATED);
    expect((await running).reply).toEqual(CREATED);
    expect((await run(keyed())).isRepeated).toBe(true);
    expect(runs()).toBe(0);
  });

  it("is one of many at once", async () => {
    const { run, runs } = serverOn(open());
    const outcomes = await Promise.all(Array.from({ length: 100 }, () => run(keyed())));
    expect(runs()).toBe(1);
    expect(outcomes.filter(({ reply }) => reply === CREATED)).toHaveLength(1);
  });

  // proves API-23
  it("of a process that ended is unknown after a minute, and never runs again", async () => {
    const store = open();
    const time = new FakeTime();
    const lost = serverOn(store, {}, time);
    await lost.run(keyed(), new Error("killed")).catch(() => undefined);
    const next = serverOn(store, {}, time);
    expect(codeOf(await next.run(keyed()))).toBe("request_in_flight");
    time.wallEpochMs += 60_000;
    expect(codeOf(await next.run(keyed()))).toBe("outcome_unknown");
    expect(next.runs()).toBe(0);
  });
});

describe("a store that fails", () => {
  it("before the request ran leaves it to be repeated with the same key, committed or not", async () => {
    for (const isCommitted of [false, true]) {
      const store = open();
      let isAway = true;
      const begin: RequestKeyStore["begin"] = async (claim) => {
        if (!isAway) return store.requestKeys.begin(claim);
        if (isCommitted) await store.requestKeys.begin(claim);
        return failing();
      };
      const { run, runs } = serverOn(store, { begin });
      expect(codeOf(await run(keyed()))).toBe("unavailable");
      isAway = false;
      expect(await run(keyed())).toEqual({ reply: CREATED, isRepeated: false });
      expect((await run(keyed())).isRepeated).toBe(true);
      expect(runs()).toBe(1);
    }
  });

  // proves API-23
  it("after the request ran answers it, and refuses repeats", async () => {
    const { run, runs } = serverOn(open(), { finish: failing });
    expect((await run(keyed())).reply).toEqual(CREATED);
    expect(codeOf(await run(keyed()))).toBe("outcome_unknown");
    expect(runs()).toBe(1);
  });

  it("while a refusal frees its key still answers the refusal", async () => {
    const { run } = serverOn(open(), { release: failing });
    expect(codeOf(await run(keyed(), refusal("conflict")))).toBe("conflict");
  });
});

describe("an operation that may run twice", () => {
  const activation = keyed({ operation: "activateKillSwitch", mayRepeat: true });

  // proves API-24
  it("runs whatever became of its key", async () => {
    const lost = open();
    await serverOn(lost)
      .run(activation, new Error("killed"))
      .catch(() => undefined);
    expect((await serverOn(lost).run(activation)).reply).toEqual(CREATED);
    expect((await serverOn(open(), { begin: failing }).run(activation)).reply).toEqual(CREATED);
    const full = serverOn(open(), { begin: async () => ({ kind: "too_many" }) });
    expect((await full.run(activation)).reply).toEqual(CREATED);
    expect(codeOf(await full.run(keyed()))).toBe("limit_reached");
    const uncertain = serverOn(open());
    await uncertain.run(activation, refusal("unavailable"));
    expect((await uncertain.run(activation)).reply).toEqual(CREATED);
  });

  it("still gives a repeat the same answer", async () => {
    const { run, runs } = serverOn(open());
    await run(activation);
    expect((await run(activation)).isRepeated).toBe(true);
    expect(runs()).toBe(1);
  });
});
