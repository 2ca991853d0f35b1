import { startHttpGateway } from "@svc/decision-client/testing/faulty-gateway";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { SvcClient } from "../svc-client.ts";
import { checkedOptions } from "./adapter-options.ts";
import { schemaCheck } from "./schema-check.ts";
import { ToolGovernor } from "./tool-governor.ts";

const ALLOW = { decision: "allow", decision_id: "g.1", args_constrained: false };

interface Seen {
  readonly path: string | undefined;
  readonly key: unknown;
  readonly body: Readonly<Record<string, unknown>>;
}

let answers: object[] = [];
let seen: Seen[] = [];
let gateway: Awaited<ReturnType<typeof startHttpGateway>>;
let client: SvcClient;

beforeEach(async () => {
  answers = [ALLOW];
  seen = [];
  gateway = await startHttpGateway((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = JSON.parse(Buffer.concat(chunks).toString("utf8")) as Seen["body"];
      seen.push({ path: request.url, key: request.headers["idempotency-key"], body });
      const isOutcome = request.url?.endsWith("/outcome") === true;
      const verdict = isOutcome || answers.length === 1 ? answers[0] : answers.shift();
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(verdict));
    });
  });
  client = new SvcClient({ baseUrl: gateway.url });
});

afterEach(async () => {
  await client.settled();
  await gateway.close();
});

const governorOf = (more: object = {}) =>
  new ToolGovernor(checkedOptions({ agentId: "agent-1", client, ...more }, "hosts"));
const questions = () => seen.filter(({ path }) => path?.endsWith("/execute") === true);
const CALL = { tool: "pay", args: { amount: 5 }, callId: "call_1", sessionId: "thread-1" };

describe("a call of a framework", () => {
  it("runs with a copy of what was judged, whatever changes meanwhile", async () => {
    const args = { amount: 5, to: { account: "a" } };
    const judging = governorOf().judge({ ...CALL, args });
    args.to.account = "b";
    expect(await judging).toMatchObject({ kind: "allowed", args: { amount: 5, to: { account: "a" } } });
  });

  it("is asked about under the name that policies use, in the session of its thread", async () => {
    await governorOf({ names: { pay: "payments.pay" }, namespace: "shop" }).judge(CALL);
    expect(questions()[0]?.body).toMatchObject({
      agent_id: "agent-1",
      tool: "payments.pay",
      session_id: "thread-1",
      namespace: "shop",
    });
  });

  it("has a session even when the id of its thread is any text", async () => {
    answers = [ALLOW, { ...ALLOW, decision_id: "g.2" }, { ...ALLOW, decision_id: "g.3" }];
    const governor = governorOf({ sessionId: "fallback" });
    await governor.judge({ ...CALL, sessionId: "Stra\u00dfe 7" });
    await governor.judge({ ...CALL, sessionId: "Stra\u00dfe *" });
    await governor.judge({ ...CALL, sessionId: "" });
    const sessions = questions().map(({ body }) => body["session_id"]);
    expect(sessions).toEqual(["Stra\u00dfe 7", expect.stringMatching(/^s-[0-9a-f]{64}$/), "fallback"]);
  });

  it("that may have begun in another process is asked about under another key", async () => {
    answers = [
      { ...ALLOW, repeated: true },
      { ...ALLOW, decision_id: "g.2" },
    ];
    expect(await governorOf().judge(CALL)).toMatchObject({ kind: "allowed" });
    const [first, second] = questions().map(({ key }) => key);
    expect(second).not.toBe(first);
  });

  it("that was asked about before it runs is one call", async () => {
    answers = [ALLOW, { ...ALLOW, repeated: true }];
    const governor = governorOf();
    expect(await governor.preview(CALL)).toBe("allowed");
    expect(await governor.judge(CALL)).toMatchObject({ kind: "allowed" });
    const [first, second, third] = questions().map(({ key }) => key);
    expect([second, third]).toEqual([first, undefined]);
  });

  it("that is repeated after it began is asked about under another key", async () => {
    answers = [ALLOW, { ...ALLOW, repeated: true }, { ...ALLOW, decision_id: "g.2" }];
    const governor = governorOf();
    expect((await governor.judge(CALL)).kind).toBe("allowed");
    expect((await governor.judge(CALL)).kind).toBe("allowed");
    const keys = questions().map(({ key }) => key);
    expect([keys[1] === keys[0], keys[2] === keys[0], keys.length]).toEqual([true, false, 3]);
  });

  it("is denied when every answer is for a run that began", async () => {
    const governor = governorOf();
    await governor.judge(CALL);
    expect(await governor.judge(CALL)).toMatchObject({
      kind: "denied",
      text: expect.stringContaining("runs of this call with the same id have begun"),
    });
  });

  it("has a key of its own in each process while it belongs to no session", async () => {
    const call = { ...CALL, sessionId: undefined };
    await governorOf().judge(call);
    await governorOf().judge(call);
    const [first, second] = questions().map(({ key }) => key);
    expect(first).toMatch(/^sha256:/);
    expect(second).not.toBe(first);
  });

  it("is reported once", async () => {
    const judgement = await governorOf().judge(CALL);
    if (judgement.kind !== "allowed") throw new Error(judgement.text);
    judgement.report("failed");
    judgement.report("succeeded");
    await client.settled();
    const reports = seen.filter(({ path }) => path?.endsWith("/outcome") === true);
    expect(reports.map(({ body }) => body["status"])).toEqual(["failed"]);
  });

  it("does not run when its schema cannot be checked against rewritten arguments", async () => {
    answers = [{ ...ALLOW, args_constrained: true, shaped_args: { amount: 1 } }];
    const checkArgs = schemaCheck(undefined, "parsed");
    expect(await governorOf().judge({ ...CALL, checkArgs })).toMatchObject({ kind: "denied" });
    await client.settled();
    expect(seen.at(-1)?.body).toMatchObject({ decision_id: "g.1", status: "not_executed" });
  });

  it("does not run when the check of its arguments throws", async () => {
    answers = [{ ...ALLOW, args_constrained: true, shaped_args: { amount: 1 } }];
    const checkArgs = vi.fn<() => never>(() => {
      throw new Error("secret");
    });
    const judgement = await governorOf().judge({ ...CALL, checkArgs });
    expect(judgement).toMatchObject({ kind: "denied", text: expect.not.stringContaining("secret") });
  });

  it("that cannot be written as JSON is denied before anybody is asked", async () => {
    const judgement = await governorOf().judge({ ...CALL, args: { when: new Date(0) } });
    expect(judgement).toMatchObject({ kind: "denied", text: expect.stringContaining("args.when") });
    expect(seen).toEqual([]);
  });
});

describe("the options of an adapter", () => {
  it.each([
    [undefined, "options: expected an object"],
    [{}, "agentId: expected 1 to"],
    [{ agentID: "a" }, "expected only agentId, sessionId, namespace, names, client, onPause, ungoverned,"],
    [{ agentId: "a", client: {} }, "client: expected an SvcClient of this package"],
    [{ agentId: "a", sessionId: "a b " }, "sessionId: expected 1 to"],
    [{ agentId: "a", names: { pay: "a b " } }, "names: expected 1 to"],
    [{ agentId: "a", ungoverned: "web_search" }, "ungoverned: expected a list"],
  ])("are refused when they are not usable: %j", (options, message) => {
    expect(() => checkedOptions(options as never, "hosts")).toThrow(message);
  });

  it("name no tool that runs without a verdict where there is none", () => {
    expect(() => checkedOptions({ agentId: "a", ungoverned: [] }, "runs all")).toThrow('found "ungoverned"');
  });
});

describe("the option onPause", () => {
  const PAUSE = {
    decision: "pause",
    decision_id: "g.7",
    reason: "a person must approve it",
    approval_id: "apr_1",
    approval_url: "https://svc.example/approvals/apr_1",
  };

  it("gets an approval once, however often its call is judged", async () => {
    answers = [PAUSE];
    const onPause = vi.fn();
    const governor = governorOf({ onPause });
    expect(await governor.preview(CALL)).toBe("paused");
    expect(await governor.judge(CALL)).toMatchObject({ kind: "paused" });
    expect(onPause.mock.calls).toEqual([
      [expect.objectContaining({ tool: "pay", approval_url: PAUSE.approval_url })],
    ]);
  });

  it("has the call denied when it throws", async () => {
    answers = [PAUSE];
    const onPause = () => {
      throw new Error("no display");
    };
    expect(await governorOf({ onPause }).judge(CALL)).toMatchObject({ kind: "denied" });
  });

  it("is a function", () => {
    expect(() => governorOf({ onPause: "print" })).toThrow('onPause: expected a function, found "print"');
  });
});
