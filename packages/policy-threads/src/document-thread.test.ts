import { once } from "node:events";
import type { Worker } from "node:worker_threads";
import type { ModuleChecker, ModuleProblem } from "@svc/engine/evaluator-factory";
import { recordingLogger } from "@svc/process/testing/recording-logger";
import { describe, expect, it, onTestFinished } from "vitest";
import { DocumentThread } from "./document-thread.ts";

const SOURCE = "id: p\nagent_id: a\ntools: { allowed: [x], denied: [x] }\n";
const TEXT = { source: SOURCE, mediaType: "application/yaml" } as const;

interface Options {
  readonly url?: URL;
  readonly stallLimitMs?: number;
  readonly idleEndMs?: number;
  readonly modules?: ModuleChecker;
}

function startThread({ modules, ...options }: Options = {}) {
  const log = recordingLogger();
  const thread = new DocumentThread({ log, modules: modules ?? null, ...options });
  onTestFinished(() => thread.close());
  return { thread, log };
}

// proves POL-61
describe("the thread that reads policy documents", () => {
  it("tells an author what it found", async () => {
    const { thread } = startThread();
    expect(await thread.check(TEXT)).toMatchObject({
      kind: "valid",
      policy: { id: "p", name: null, agentId: "a", mode: "enforcement" },
      document: { id: "p", agent_id: "a", tools: { allowed: ["x"], denied: ["x"] } },
      warnings: [{ severity: "warning" }],
    });
    expect(await thread.check({ ...TEXT, source: "id: [" })).toMatchObject({ kind: "invalid" });
    const json = { source: "id: p", mediaType: "application/json" } as const;
    expect(await thread.check(json)).toMatchObject({ kind: "not_json" });
  });

  it("prepares documents in their order, whether an author has seen them before or not", async () => {
    const { thread } = startThread();
    const documents = [SOURCE, "id: [", SOURCE.replace("id: p", "id: q")];
    const stored = documents.map((source) => ({ source, json: null }));
    const first = await thread.prepare(stored);
    await thread.check(TEXT);
    expect(await thread.prepare(stored)).toEqual(first);
    expect(first.map((one) => (one.ok ? JSON.parse(one.parts.head) : one.detail))).toEqual([
      expect.objectContaining({ head: expect.objectContaining({ id: "p" }) }),
      expect.any(String),
      expect.objectContaining({ head: expect.objectContaining({ id: "q" }) }),
    ]);
  });

  // proves START-01
  it("prepares a version after idle minutes as before, on a thread that starts for it", async () => {
    const { thread, log } = startThread({ idleEndMs: 1 });
    const stored = [{ source: SOURCE, json: null }];
    const replies: unknown[] = [];
    for (let turn = 0; turn < 2; turn += 1) {
      const started = once(process, "worker");
      replies.push(await thread.prepare(stored));
      const [worker] = (await started) as [Worker];
      // A thread that has ended has the id -1.
      await expect.poll(() => worker.threadId, { timeout: 30_000 }).toBe(-1);
    }
    expect(replies[1]).toEqual(replies[0]);
    expect(log.messages).toEqual([]);
  });

  it("refuses a flood, and answers what it took", async () => {
    const { thread } = startThread();
    const asked = Array.from({ length: 100 }, () => thread.check(TEXT));
    const outcomes = await Promise.allSettled(asked);
    const refused = outcomes.filter((outcome) => outcome.status === "rejected");
    expect(refused.length).toBe(100 - 33);
    expect(String(refused[0]?.reason)).toContain("too many policy documents");
  });

  it("prepares a stored version beside a flood of checks, after one of them at most", async () => {
    const { thread } = startThread();
    const done: string[] = [];
    const checks = Array.from({ length: 100 }, () => thread.check(TEXT).then(() => done.push("check")));
    const stored = [{ source: SOURCE, json: null }];
    const prepared = thread.prepare(stored).then(() => done.push("prepare"));
    await Promise.all([prepared, Promise.allSettled(checks)]);
    expect(done.slice(0, 3)).toEqual(["check", "prepare", "check"]);
    expect(done).toHaveLength(34);
  });

  it("lets authors take turns with a gateway that prepares thousands of policies", async () => {
    const { thread } = startThread();
    const done: string[] = [];
    const stored = [{ source: SOURCE, json: null }];
    const prepares = Array.from({ length: 20 }, () =>
      thread.prepare(stored).then(() => done.push("prepare")),
    );
    const check = thread.check(TEXT).then(() => done.push("check"));
    await Promise.all([...prepares, check]);
    expect(done.indexOf("check")).toBe(1);
  });
});

describe("a document with a module", () => {
  const source = 'id: p\ntools: { allowed: [x] }\nrego: |\n  package p\n  deny contains "no"\n';
  const text = { source, mediaType: "application/yaml" } as const;
  const problem = {
    severity: "error",
    row: 2,
    column: 15,
    message: "m",
    expected: "e",
    found: "f",
    fix: "x",
  };
  const saying = (...codes: readonly ModuleProblem["code"][]): ModuleChecker => ({
    check: async (module) => {
      expect(module).toEqual({ text: 'package p\ndeny contains "no"\n', data: null });
      return { problems: codes.map((code) => ({ ...problem, code })), rules: ["deny"] };
    },
  });

  it("is refused by name where nothing checks it, and prepared all the same", async () => {
    const { thread } = startThread();
    const check = await thread.check(text);
    expect(check).toMatchObject({ kind: "invalid", diagnostics: [{ code: "policy/rego-unavailable" }] });
    expect(await thread.prepare([{ source, json: null }])).toMatchObject([{ ok: true }]);
  });

  it("is valid, or refused at the place in the document", async () => {
    const good = startThread({ modules: saying() });
    expect(await good.thread.check(text)).toMatchObject({ kind: "valid", warnings: [] });
    expect(await good.thread.prepare([{ source, json: null }])).toMatchObject([{ ok: true }]);
    const { thread } = startThread({ modules: saying("rego/type") });
    const found = { code: "rego/type", line: 5, column: 17, file: null, pointer: "/rego", fix: "x" };
    expect(await thread.check(text)).toMatchObject({ kind: "invalid", diagnostics: [found] });
  });

  it("is neither valid nor refused when its module was not checked", async () => {
    const { thread } = startThread({ modules: saying("rego/unchecked") });
    await expect(thread.check(text)).rejects.toThrow("could not be checked");
  });
});

// proves POL-60
describe("a thread of policy documents that fails", () => {
  const workerOf = (source: string): URL => new URL(`data:text/javascript,${encodeURIComponent(source)}`);
  const onMessage = (work: string): URL =>
    workerOf(
      `import { parentPort } from "node:worker_threads";
       parentPort.on("message", ({ id, job: { args: [text] } }) => { ${work} });`,
    );

  it("rejects the order that it had, and is replaced for the next one", async () => {
    const checked = { check: { kind: "invalid", diagnostics: [] }, documentText: "", module: null };
    const die = 'if (text.source === "die") process.exit(1);';
    const answer = `parentPort.postMessage({ id, ok: true, value: ${JSON.stringify(checked)} });`;
    const { thread, log } = startThread({ url: onMessage(die + answer) });
    const lost = thread.check({ ...TEXT, source: "die" });
    const next = thread.check(TEXT);
    await expect(lost).rejects.toThrow(/thread ended: it exited/);
    expect(await next).toEqual({ kind: "invalid", diagnostics: [] });
    expect(log.messages).toEqual(["the policy reader's thread was lost"]);
  });

  it.each([
    ["never ends", onMessage("for (;;);"), 500, /it is stuck/],
    ["never starts", workerOf("for (;;);"), 500, /it is stuck/],
    ["throws", onMessage('throw new Error("no reply")'), 30_000, /no reply/],
    [
      "runs out of memory",
      onMessage("const all = []; for (;;) all.push(new Array(1e6).fill(all.length + 0.5));"),
      30_000,
      /memory/,
    ],
  ])("is given up when it %s", async (_name, url, stallLimitMs, reason) => {
    const { thread } = startThread({ stallLimitMs, url });
    await expect(thread.check(TEXT)).rejects.toThrow(reason);
  });

  it("takes nothing more once it is closed", async () => {
    const { thread, log } = startThread();
    const pending = thread.check(TEXT);
    const closed = thread.close();
    await expect(pending).rejects.toThrow(/closing/);
    await closed;
    await expect(thread.check(TEXT)).rejects.toThrow(/closing/);
    expect(log.messages).toEqual([]);
  });
});
