// long: threads are replaced
import { setImmediate } from "node:timers/promises";
import { FakeClock } from "@svc/process/testing/fake-clock";
import { describe, expect, it, onTestFinished } from "vitest";
import { MAX_WAITING_PER_ORG } from "./rego-limits.ts";
import { type PreparedRego, type RegoResult, type RegoRuntime, RegoUnusable } from "./rego-runtime.ts";
import { HANGS_WHEN_ASKED, SLOW_TO_COMPILE } from "./testing/hostile-modules.ts";
import { loadOnce, openPatientRego } from "./testing/patient-rego.ts";

/** Hangs, or needs more memory than an instance has, when the call says so. */
const TEXT = `${HANGS_WHEN_ASKED}
deny contains "panics" if {
	input.args.panic
	bits.lsh(1, 1099511627776) < 0
}

deny contains "grows" if {
	input.args.grow
	x := concat("", [s | some i in numbers.range(1, 20000); s := "aaaaaaaaaa"])
	count(replace(x, "a", x)) < 0
}
`;

const HARMLESS = '{"args":{}}';
const HANG = '{"args":{"hang":true}}';
const PANIC = '{"args":{"panic":true}}';
const GROW = '{"args":{"grow":true}}';
const SAYS_NO = { kind: "messages", deny: ["no"], requireApproval: [] };

/** Milliseconds of an evaluation: enough for a harmless one on a busy machine. */
const SHORT_MS = 1_000;

const load = loadOnce();

function open(options: Parameters<typeof openPatientRego>[0] = {}): RegoRuntime {
  const rego = openPatientRego({ load, threads: 2, ...options });
  onTestFinished(() => rego.close());
  return rego;
}

function prepare(rego: RegoRuntime, organization: string, version = 1): Promise<PreparedRego> {
  return rego.prepare({ text: TEXT, data: null }, { organization, policyId: "pol", version });
}

describe("an evaluation that fails", () => {
  it("denies when OPA needs more memory than it has, and another instance takes over", async () => {
    const codes: string[] = [];
    const module = await prepare(open({ onFailure: (code) => codes.push(code) }), "org_a");
    const result = await module.evaluate(GROW);
    expect(result).toMatchObject({ kind: "failed", code: "rego_error" });
    expect(codes).toEqual(["rego_error"]);
    for (let call = 0; call < 4; call++) expect(await module.evaluate(HARMLESS)).toEqual(SAYS_NO);
  });

  it("suspends a module that times out five times, for a minute or until its next version", async () => {
    const clock = new FakeClock();
    const rego = open({ clock, evaluateMs: SHORT_MS });
    const module = await prepare(rego, "org_a");
    for (let call = 0; call < 5; call++) {
      expect(await module.evaluate(HANG)).toMatchObject({ code: "rego_timeout" });
    }
    expect(await module.evaluate(HARMLESS)).toMatchObject({ code: "rego_suspended" });
    const next = await prepare(rego, "org_a", 2);
    expect(await next.evaluate(HARMLESS)).toEqual(SAYS_NO);
    clock.ms += 60_000;
    expect(await module.evaluate(HARMLESS)).toEqual(SAYS_NO);
  });
});

it("suspends a module that ends Open Policy Agent five times, and says what ended it", async () => {
  const module = await prepare(open({ clock: new FakeClock() }), "org_a");
  for (let call = 0; call < 5; call++) {
    const message = expect.stringMatching(/ended during the evaluation, such as by a number .* too large/);
    expect(await module.evaluate(PANIC)).toMatchObject({ code: "rego_error", message });
  }
  expect(await module.evaluate(HARMLESS)).toMatchObject({ code: "rego_suspended" });
});

it("fails an explanation that ends Open Policy Agent, and explains the next one", async () => {
  const rego = open();
  const module = { text: TEXT, data: null };
  const { result, trace } = await rego.explain(module, PANIC);
  expect([result, trace]).toEqual([
    { kind: "failed", code: "rego_unavailable", message: expect.stringContaining("Open Policy Agent ended") },
    "",
  ]);
  expect((await rego.explain(module, HARMLESS)).result).toEqual(SAYS_NO);
});

describe("a preparation that a fault of the moment ends", () => {
  it.each<[string, Parameters<typeof openPatientRego>[0], RegExp]>([
    [
      "OPA does not start",
      { load: async () => Promise.reject(new Error("no file")) },
      /can not be started: no file/,
    ],
    ["its compilation is late", { compileMs: 100 }, /not compiled in its time/],
  ])("says nothing about the module when %s", async (_, options, why) => {
    const rego = open(options);
    const module = { text: SLOW_TO_COMPILE, data: null };
    const preparation = rego.prepare(module, { organization: "org_a", policyId: "pol", version: 1 });
    await expect(preparation).rejects.toThrow(why);
    await expect(preparation).rejects.not.toThrow(RegoUnusable);
  });

  it("is made again, and succeeds when the fault has passed", async () => {
    let isBroken = true;
    const rego = open({ load: () => (isBroken ? Promise.reject(new Error("no file")) : load()) });
    await expect(prepare(rego, "org_a")).rejects.toThrow("could not be prepared now");
    isBroken = false;
    const module = await prepare(rego, "org_a");
    expect(await module.evaluate(HARMLESS)).toEqual(SAYS_NO);
  });
});

describe("an organization whose module hangs", () => {
  it("does not delay the calls of another one", async () => {
    const rego = open();
    const hanging = await prepare(rego, "org_a");
    const other = await prepare(rego, "org_b");
    const settled: RegoResult[] = [];
    const hung = [1, 2, 3].map(async () => settled.push(await hanging.evaluate(HANG)));
    for (let call = 0; call < 20; call++) expect(await other.evaluate(HARMLESS)).toEqual(SAYS_NO);
    // Those that wait may have been denied, for no thread was free. The one that runs has no answer.
    expect(settled.filter((result) => result.kind === "failed" && result.code !== "rego_busy")).toEqual([]);
    await rego.close();
    await Promise.all(hung);
    expect(settled.map(({ kind }) => kind)).toEqual(["failed", "failed", "failed"]);
  });

  it("has a bound on what waits, behind which it is denied at once", async () => {
    const rego = open();
    const hanging = await prepare(rego, "org_a");
    const codes: string[] = [];
    const call = async (input: string): Promise<void> => {
      const result = await hanging.evaluate(input);
      codes.push(result.kind === "failed" ? result.code : result.kind);
    };
    const calls = [call(HANG)];
    await setImmediate();
    for (let count = 0; count < MAX_WAITING_PER_ORG + 7; count++) calls.push(call(HARMLESS));
    await setImmediate();
    expect(codes).toEqual(Array.from({ length: 7 }, () => "rego_busy"));
    hanging.close();
    await setImmediate();
    expect(codes.filter((code) => code === "rego_unavailable")).toHaveLength(MAX_WAITING_PER_ORG);
    await rego.close();
    await Promise.all(calls);
    expect(codes.at(-1)).toBe("rego_error");
  });
});
