// long: it waits for budgets to end, and blocks the judging thread for seconds
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Worker } from "node:worker_threads";
import { ALLOW_BODY } from "@svc/decision-client/testing/answers";
import { type FaultyGateway, startHttpGateway } from "@svc/decision-client/testing/faulty-gateway";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { startTestCheckgw } from "../testing/start-checkgw.ts";
import { createGuardrail } from "./guardrail.ts";
import type { GuardrailThread } from "./guardrail-thread.ts";
import { MAX_GUARDRAIL_BYTES, MAX_PENDING } from "./limits.ts";
import { isPass } from "./testing/is-pass.ts";
import { completion, litellmRequest, portkeyAfter, toolCall } from "./testing/messages.ts";
import {
  STALLING_WORKER,
  startTestGuardrail,
  type TestGuardrail,
  type TestGuardrailOptions,
} from "./testing/start-guardrail.ts";

/** Starting a thread takes seconds while every core is at work. */
const TIMEOUT = { timeout: 60_000 };

type Header = [string, string];

const ENDS: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ENDS.splice(0).reverse()) await end();
});

/** Reports of outcomes that reached a gateway. */
const REPORTED: string[] = [];

/** A gateway that allows, unless it is to be silent about a tool. */
async function startGateway(silentAbout = "nothing"): Promise<FaultyGateway> {
  const gateway = await startHttpGateway((request, response) => {
    let text = "";
    request.on("data", (chunk) => {
      text += String(chunk);
    });
    request.on("end", () => {
      if (text.includes(`"tool":"${silentAbout}"`)) return;
      if (request.url?.endsWith("/outcome") === true) REPORTED.push(text);
      response.writeHead(200, { "content-type": "application/json" }).end(ALLOW_BODY);
    });
  });
  ENDS.push(() => gateway.close());
  return gateway;
}

async function start(
  options: TestGuardrailOptions = {},
  silentAbout?: string,
): ReturnType<typeof startTestGuardrail> {
  const gateway = await startGateway(silentAbout);
  const guardrail = await startTestGuardrail(gateway.url, options);
  ENDS.push(() => guardrail.close());
  return guardrail;
}

/** The threads that this process starts from now on. */
function workersStarted(): readonly Worker[] {
  const workers: Worker[] = [];
  const note = (worker: Worker): void => void workers.push(worker);
  process.on("worker", note);
  onTestFinished(() => void process.off("worker", note));
  return workers;
}

async function passes(guardrail: TestGuardrail): Promise<boolean> {
  return isPass("portkey", (await guardrail.post("/guardrail", portkeyAfter(completion("hi")))).body);
}

/** Waits until the judging thread has started. */
async function served(guardrail: TestGuardrail): Promise<void> {
  await expect.poll(() => passes(guardrail), { timeout: 30_000 }).toBe(true);
}

const ROUTES = [
  { target: "/guardrail", dialect: "portkey", body: portkeyAfter(completion("hi")) },
  { target: "/guardrail/portkey", dialect: "portkey", body: portkeyAfter(completion("hi")) },
  { target: "/beta/litellm_basic_guardrail_api", dialect: "litellm", body: litellmRequest(["hi"]) },
  {
    target: "/guardrail/agentgateway/request",
    dialect: "agentgateway_request",
    body: { body: { messages: [] } },
  },
  {
    target: "/guardrail/agentgateway/response",
    dialect: "agentgateway_response",
    body: { body: completion("hi") },
  },
  { target: "/request", dialect: "agentgateway_request", body: { body: { messages: [] } } },
  { target: "/response", dialect: "agentgateway_response", body: { body: completion("hi") } },
] as const;

describe("guardrail webhooks", TIMEOUT, () => {
  it("every route answers in its dialect, and other paths are unharmed", async () => {
    const guardrail = await start();
    for (const { target, dialect, body } of ROUTES) {
      const answer = await guardrail.post(target, body);
      expect([answer.status, answer.headers["content-type"], isPass(dialect, answer.body)]).toEqual([
        200,
        "application/json",
        true,
      ]);
      const noAgent = await guardrail.send({
        method: "POST",
        target,
        headers: [["content-type", "application/json"]],
        body: JSON.stringify(body),
      });
      expect([noAgent.status, isPass(dialect, noAgent.body)]).toEqual([200, false]);
    }
    const check = {
      headers: [
        ["x-svc-tool", "a.b"],
        ["x-svc-agent-id", "agent-1"],
      ],
    } as const;
    expect((await guardrail.send(check)).status).toBe(200);
    expect((await guardrail.send({ target: "/guardrail/other" })).status).toBe(404);
  });

  it("an auth hook that is pointed here sees no 200", async () => {
    const guardrail = await start();
    for (const method of ["GET", "HEAD", "PUT", "OPTIONS"]) {
      expect((await guardrail.send({ method, target: "/guardrail" })).status).toBe(405);
    }
  });

  const JSON_TYPE: Header = ["content-type", "application/json"];
  const FAR_TOO_MUCH = " ".repeat(20 * MAX_GUARDRAIL_BYTES);
  const bodies: readonly { name: string; headers: Header[]; body: string; host?: string; query?: string }[] =
    [
      { name: "no JSON", headers: [JSON_TYPE], body: "{" },
      { name: "nothing", headers: [JSON_TYPE], body: "" },
      { name: "no content type", headers: [], body: "{}" },
      { name: "another content type", headers: [["content-type", "text/plain"]], body: "{}" },
      { name: "a content coding", headers: [JSON_TYPE, ["content-encoding", "gzip"]], body: "{}" },
      { name: "one byte too much", headers: [JSON_TYPE], body: " ".repeat(MAX_GUARDRAIL_BYTES + 1) },
      { name: "far too much", headers: [JSON_TYPE], body: FAR_TOO_MUCH },
      { name: "a header of an auth hook", headers: [JSON_TYPE, ["x-svc-tool", "a.b"]], body: "{}" },
      {
        name: "a page in a browser",
        headers: [JSON_TYPE, ["origin", "http://a.example"]],
        body: FAR_TOO_MUCH,
      },
      { name: "a foreign Host", headers: [JSON_TYPE], host: "a.example", body: FAR_TOO_MUCH },
      { name: "a query", headers: [JSON_TYPE], query: "?agent=a", body: FAR_TOO_MUCH },
      { name: "an alias of a header", headers: [JSON_TYPE, ["x_svc_agent_id", "a"]], body: "{}" },
      {
        name: "an agent twice",
        headers: [JSON_TYPE, ["x-svc-agent-id", "a"], ["x-svc-agent-id", "b"]],
        body: "{}",
      },
    ];
  // proves GRD-03, CHK-20, CHK-21, CHK-22
  it("F7: bad JSON, oversize and bad headers are a block with status 200 on every route", async () => {
    const guardrail = await start();
    for (const { name, headers, body, host = "127.0.0.1", query = "" } of bodies) {
      for (const { target, dialect } of ROUTES) {
        const sent = { method: "POST", target: `${target}${query}`, host, headers, body };
        const answer = await guardrail.send(sent);
        expect([name, answer.status, isPass(dialect, answer.body)]).toEqual([name, 200, false]);
      }
    }
  });

  // proves GRD-04
  it("F7: a body that never comes whole is blocked when the budget ends", async () => {
    const guardrail = await start({ budgetMs: 300 });
    const { port } = new URL(guardrail.url);
    const socket = connect(Number(port), "127.0.0.1");
    ENDS.push(async () => void socket.destroy());
    const head = [
      "POST /guardrail HTTP/1.1",
      "host: x",
      "content-type: application/json",
      "content-length: 99",
    ];
    socket.write(`${head.join("\r\n")}\r\n\r\n{"event`);
    let text = "";
    for await (const chunk of socket) text += String(chunk);
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*"verdict":false[^]*decision_timeout/);
  });

  const STALLED: readonly { name: string; bodyBytes: number; later: string }[] = [
    { name: "never complete", bodyBytes: 99, later: "" },
    { name: "complete after their answer", bodyBytes: 30, later: "x".repeat(10) },
    { name: "too large and never complete", bodyBytes: 2 * MAX_GUARDRAIL_BYTES, later: "" },
  ];
  it.each(STALLED)("F7: bodies that are $name leave nothing behind", async ({ bodyBytes, later }) => {
    const judge = vi.fn<GuardrailThread["judge"]>(() => Promise.reject(new Error("judged")));
    const guardrail = createGuardrail({
      thread: { judge },
      budgetMs: 500,
      monotonicMs: () => performance.now(),
      onDefect: () => {},
    });
    const checkgw = await startTestCheckgw(undefined, {}, guardrail);
    ENDS.push(() => checkgw.close());
    const head = [
      "POST /guardrail HTTP/1.1",
      "host: x",
      "content-type: application/json",
      `content-length: ${bodyBytes}`,
    ];
    const sendPart = async (): Promise<void> => {
      // Open on this side until the end: what counts is that the answer is given, not that the caller leaves.
      const socket = connect({
        port: Number(new URL(checkgw.url).port),
        host: "127.0.0.1",
        allowHalfOpen: true,
      });
      ENDS.push(async () => void socket.destroy());
      socket.on("error", () => {});
      socket.write(`${head.join("\r\n")}\r\n\r\n${"x".repeat(20)}`);
      for await (const chunk of socket) {
        expect(String(chunk)).toContain("decision_timeout");
        if (later !== "") socket.write(later);
      }
    };
    await Promise.all(Array.from({ length: MAX_PENDING + 1 }, sendPart));
    expect(judge).not.toHaveBeenCalled();
    const headers: [string, string][] = [["content-type", "application/json"]];
    await checkgw.send({ method: "POST", target: "/guardrail", headers, body: "{}" });
    expect(judge).toHaveBeenCalledOnce();
  });

  // proves GRD-04
  it("F7: a silent gateway is a block when the budget ends, and keeps nobody else waiting", async () => {
    const guardrail = await start({ budgetMs: 4_000 }, "slow");
    await served(guardrail);
    const slow = guardrail.post("/guardrail", portkeyAfter(completion(null, [toolCall("slow", "{}")])));
    const quick = await guardrail.post("/guardrail", portkeyAfter(completion("hi")));
    expect(isPass("portkey", quick.body)).toBe(true);
    const { status, body } = await slow;
    expect([status, JSON.parse(body)]).toMatchObject([
      200,
      { verdict: false, data: { reason_code: "decision_timeout", reason: "No verdict within 4000 ms." } },
    ]);
    expect(guardrail.lost).toEqual([]);
  });
});

describe("a message that is held back", TIMEOUT, () => {
  it("gives back what its allowed calls were charged", async () => {
    const guardrail = await start();
    await served(guardrail);
    REPORTED.splice(0);
    const calls = [toolCall("a.b", "{}"), toolCall("no tool ", "{}")];
    const answer = await guardrail.post("/guardrail", portkeyAfter(completion(null, calls)));
    expect(isPass("portkey", answer.body)).toBe(false);
    const wanted = ['{"decision_id":"gateway-1.7","status":"not_executed"}'];
    await expect.poll(() => REPORTED, { timeout: 10_000 }).toEqual(wanted);
  });
});

describe("F8: the thread that judges", TIMEOUT, () => {
  const hurting = (word: string): object => portkeyAfter(completion(`please ${word}`));

  it("blocked for 5 s, everybody is answered within the budget, and the next request is served", async () => {
    const budgetMs = 2_000;
    const guardrail = await start({ budgetMs, workerUrl: STALLING_WORKER });
    await served(guardrail);
    const answers = await Promise.all([
      guardrail.post("/guardrail", hurting("block")),
      ...ROUTES.map(({ target, body }) => guardrail.post(target, body)),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(isPass("portkey", answers[0]?.body ?? "")).toBe(false);
    for (const [index, { dialect }] of ROUTES.entries())
      expect(isPass(dialect, answers[index + 1]?.body ?? "")).toBe(false);
    await expect.poll(() => guardrail.lost, { timeout: 10_000 }).toEqual(["it is stuck"]);
    await served(guardrail);
    expect(guardrail.lost).toHaveLength(1);
  });

  it.each(["exit", "throw"])(
    "ended by a defect (%s), what it owed is blocked at once and it is replaced",
    async (word) => {
      const guardrail = await start({ workerUrl: STALLING_WORKER }, "slow");
      const slow = guardrail.post("/guardrail", portkeyAfter(completion(null, [toolCall("slow", "{}")])));
      expect(await passes(guardrail)).toBe(true);
      const hurt = await guardrail.post("/guardrail", hurting(word));
      expect([hurt.status, JSON.parse(hurt.body)]).toMatchObject([200, { verdict: false }]);
      expect(JSON.parse((await slow).body)).toMatchObject({
        verdict: false,
        data: { reason_code: "internal_error" },
      });
      expect(guardrail.lost).toHaveLength(1);
      expect(await passes(guardrail)).toBe(true);
    },
  );

  it("holds no more than it can: what is too much at once is blocked, and the process lives on", async () => {
    const guardrail = await start({ budgetMs: 10_000 }, "slow");
    await served(guardrail);
    const answer = completion(null, [toolCall("slow", "{}")]);
    const junk = Array.from({ length: 180_000 }, () => 1234);
    const heavy = JSON.stringify(portkeyAfter({ ...answer, junk }));
    const answers = await Promise.all(Array.from({ length: 30 }, () => guardrail.post("/guardrail", heavy)));
    const isHeld = answers.map(({ body }) => !body.includes("bytes are being judged"));
    expect(isHeld.filter(Boolean)).toHaveLength(4);
    expect(answers.find(({ body }) => body.includes("bytes are being judged"))?.body).toContain(
      "internal_error",
    );
    for (const { status, body } of answers) expect([status, isPass("portkey", body)]).toEqual([200, false]);
    expect(guardrail.lost).toEqual([]);
    await served(guardrail);
  });

  it("blocks a body of lists and objects that would fill its memory, before it reads it", async () => {
    const guardrail = await start();
    await served(guardrail);
    const junk = Array.from({ length: 300_000 }, () => ({}));
    const answer = await guardrail.post("/guardrail", portkeyAfter({ ...completion("hi"), junk }));
    expect([answer.status, JSON.parse(answer.body)]).toMatchObject([
      200,
      { verdict: false, data: { reason: "body: expected fewer lists and objects." } },
    ]);
    await served(guardrail);
    expect(guardrail.lost).toEqual([]);
  });

  // proves GRD-04
  it("large bodies that take long to read, one after another, leave small ones their answers", async () => {
    const nested = `${"[".repeat(55)}${"]".repeat(55)}`;
    const hostile = JSON.stringify(portkeyAfter(completion("hi"))).replace(
      /}$/,
      `,"junk":[${Array.from({ length: 3_000 }, () => nested).join(",")}]}`,
    );
    // A busy machine takes several times as long for one of them.
    const patient = await start({ budgetMs: 60_000 });
    await served(patient);
    const startedMs = performance.now();
    await patient.post("/guardrail", hostile);
    const budgetMs = Math.max(500, Math.ceil(4 * (performance.now() - startedMs)));
    const guardrail = await start({ budgetMs });
    await served(guardrail);
    let isOver = false;
    const attack = async (): Promise<void> => {
      while (!isOver) await guardrail.post("/guardrail", hostile);
    };
    const attackers = Array.from({ length: 8 }, attack);
    const answers: boolean[] = [];
    for (let request = 1; request <= 20; request += 1) answers.push(await passes(guardrail));
    isOver = true;
    await Promise.all(attackers);
    // Read in the order of their arrival, most of them would be blocked.
    expect(answers.filter(Boolean).length).toBeGreaterThan(15);
  });

  // proves START-01
  it("starts with the first request, and ends when none came for a while", async () => {
    const workers = workersStarted();
    const guardrail = await start({ idleEndMs: 1 });
    expect(workers).toEqual([]);
    for (let turn = 1; turn <= 2; turn += 1) {
      expect(await passes(guardrail)).toBe(true);
      const worker = workers[turn - 1];
      if (worker === undefined) return expect.unreachable("no thread was started");
      await expect.poll(() => worker.threadId, { timeout: 30_000 }).toBe(-1);
    }
    expect(workers).toHaveLength(2);
    expect(guardrail.lost).toEqual([]);
  });

  it("that ends for being idle first answers what came meanwhile", async () => {
    const guardrail = await start({ idleEndMs: 0 });
    for (let turn = 0; turn < 4; turn += 1) {
      const both = await Promise.all([passes(guardrail), passes(guardrail)]);
      expect(both).toEqual([true, true]);
      await sleep(turn % 3);
    }
    expect(guardrail.lost).toEqual([]);
  });

  it("that cannot even start blocks, and is tried again only when somebody asks", async () => {
    const guardrail = await start({ workerUrl: new URL("./no-such-worker.ts", import.meta.url) });
    for (let request = 1; request <= 2; request += 1) {
      const answer = await guardrail.post("/guardrail", portkeyAfter(completion("hi")));
      expect([answer.status, isPass("portkey", answer.body)]).toEqual([200, false]);
    }
    expect(guardrail.lost.length).toBeLessThanOrEqual(3);
  });

  it("beyond the number of requests that are worked on at once, a request is blocked at once", async () => {
    const guardrail = createGuardrail({
      thread: { judge: () => new Promise(() => {}) },
      budgetMs: 20_000,
      monotonicMs: () => performance.now(),
      onDefect: () => {},
    });

    const checkgw = await startTestCheckgw(undefined, {}, guardrail);
    ENDS.push(() => checkgw.close());
    const headers: [string, string][] = [["content-type", "application/json"]];
    const post = (): ReturnType<typeof checkgw.send> =>
      checkgw.send({ method: "POST", target: "/guardrail", headers, body: "{}" });
    // Once all of them wait, the next one is answered although nobody judges.
    const first = await Promise.race(Array.from({ length: 2 * MAX_PENDING }, post));
    expect(JSON.parse(first.body)).toMatchObject({
      data: {
        reason: `More than ${MAX_PENDING} requests are being judged.`,
        reason_code: "internal_error",
        fail_closed: true,
      },
    });
  });
});
