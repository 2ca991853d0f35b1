import { expect, it, onTestFinished } from "vitest";
import { ServiceThread, type ServiceThreadOptions } from "./service-thread.ts";
import { recordingLogger } from "./testing/recording-logger.ts";

const SERVE_CALLS = new URL("./serve-calls.ts", import.meta.url).href;

const SERVICE = `
import { serveCalls } from ${JSON.stringify(SERVE_CALLS)};
const noted = [];
serveCalls({
  echo: (...args) => args,
  fail: (message) => { throw new Error(message); },
  exit: () => process.exit(3),
  note: (text) => void noted.push(text),
  noted: () => noted,
  wait: (gate) => void Atomics.wait(new Int32Array(gate), 0, 0),
});
`;

interface TestService {
  echo(...args: readonly unknown[]): unknown;
  fail(message: string): never;
  exit(): void;
  note(text: string): void;
  noted(): readonly string[];
  /** Returns when the first number of the gate is not 0. */
  wait(gate: SharedArrayBuffer): void;
}

function started(options: Partial<ServiceThreadOptions> = {}) {
  const log = recordingLogger();
  const thread = new ServiceThread<TestService>({
    name: "svc-test",
    label: "the test thread",
    url: new URL(`data:text/javascript,${encodeURIComponent(SERVICE)}`),
    stallLimitMs: null,
    closing: "the test is over",
    log,
    ...options,
  });
  onTestFinished(() => thread.close());
  return { thread, calls: thread.calls, log };
}

function closedGate(): { readonly gate: SharedArrayBuffer; readonly open: () => void } {
  const gate = new SharedArrayBuffer(4);
  const cell = new Int32Array(gate);
  const open = (): void => {
    Atomics.store(cell, 0, 1);
    Atomics.notify(cell, 0);
  };
  onTestFinished(open);
  return { gate, open };
}

it("calls methods by their names, and rejects with what they throw", async () => {
  const { calls } = started();
  expect(await Promise.all([calls.echo(1, "a"), calls.echo()])).toEqual([[1, "a"], []]);
  await expect(calls.fail("no such row")).rejects.toThrow("no such row");
  expect(await calls.echo(2)).toEqual([2]);
});

it("rejects a call of a method that the service does not have", async () => {
  const calls = started().calls as unknown as { other(): Promise<unknown> };
  await expect(calls.other()).rejects.toThrow("the service has no method other");
});

it("makes calls that get no reply, and drops them while no thread runs", async () => {
  const { thread, calls } = started();
  thread.tell("note", "dropped");
  await calls.echo();
  thread.tell("note", "kept");
  expect(await calls.noted()).toEqual(["kept"]);
});

it("rejects the calls of a thread that is lost, notes it, and starts another", async () => {
  const { calls, log } = started();
  const outcomes = await Promise.allSettled([calls.exit(), calls.echo()]);
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(log.messages).toEqual(["the test thread was lost"]);
  expect(await calls.echo(1)).toEqual([1]);
});

it("loses no other call with a thread where calls take turns", async () => {
  const { calls } = started({ turns: { laneOf: () => "" } });
  const outcomes = await Promise.allSettled([calls.exit(), calls.echo(1)]);
  expect(outcomes).toMatchObject([{ status: "rejected" }, { status: "fulfilled", value: [1] }]);
});

it("lets lanes take turns, and refuses what is too much in one of them", async () => {
  const { gate, open } = closedGate();
  const { calls } = started({
    turns: { laneOf: (method) => method },
    maxWaiting: { most: 2, refusal: "too much waits" },
  });
  const done: string[] = [];
  const note = (name: string) => () => void done.push(name);
  const first = calls.wait(gate).then(note("wait"));
  const waiting = [
    calls.echo().then(note("echo")),
    calls.echo().then(note("echo")),
    calls.noted().then(note("noted")),
  ];
  await expect(calls.echo()).rejects.toThrow("too much waits");
  open();
  await Promise.all([first, ...waiting]);
  expect(done).toEqual(["wait", "echo", "noted", "echo"]);
  expect(await calls.echo(3)).toEqual([3]);
});

it("rejects what waits when it is closed, also for a turn, and everything after it", async () => {
  const { gate } = closedGate();
  const { thread, calls, log } = started({ turns: { laneOf: () => "" } });
  const waiting = Promise.allSettled([calls.wait(gate), calls.echo()]);
  await thread.close();
  for (const outcome of await waiting) expect(outcome).toMatchObject({ status: "rejected" });
  await expect(calls.echo()).rejects.toThrow("the test is over");
  expect(log.messages).toEqual([]);
});
