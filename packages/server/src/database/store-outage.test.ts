import { setImmediate as nextTurn } from "node:timers/promises";
import { FakeClock } from "@svc/process/testing/fake-clock";
import { LostControlStateError } from "@svc/store/control-head-guard";
import { expect, it } from "vitest";
import { StoreOutage } from "./store-outage.ts";

function setUp() {
  const lines: (readonly [Readonly<Record<string, unknown>>, string])[] = [];
  const log = (fields: Readonly<Record<string, unknown>>, message: string) =>
    void lines.push([fields, message]);
  const clock = new FakeClock();
  const store = { fault: null as Error | null };
  const check = async (): Promise<void> => {
    if (store.fault !== null) throw store.fault;
  };
  const outage = new StoreOutage({ clock, log: { error: log, info: log }, check });
  return { lines, clock, store, outage };
}

const LOST = "the store does not answer: calls that need it are denied until it does";
const BACK = "the store answers again";

// proves OPS-18
it("logs an outage as one line at the loss and one, with its duration, at the return", async () => {
  const { lines, clock, outage } = setUp();
  for (let n = 0; n < 13; n += 1) {
    outage.failed("control state", new Error("connect ECONNREFUSED"));
    outage.failed("audit rows", new Error("connect ECONNREFUSED"), 2);
    clock.ms += 250;
  }
  expect(lines).toEqual([[{ part: "control state", cause: "connect ECONNREFUSED" }, LOST]]);
  outage.recovered("control state");
  outage.recovered("audit rows");
  await nextTurn();
  expect(lines.slice(1)).toEqual([[{ outage_ms: 3_250, failures: 26, denied_rows: 26 }, BACK]]);
});

it("goes on while rows cannot be written, whatever can be read", () => {
  const { lines, outage } = setUp();
  outage.failed("audit rows", new Error("disk full"), 1);
  for (let n = 0; n < 10; n += 1) outage.recovered("control state");
  outage.failed("audit rows", new Error("disk full"), 1);
  expect(lines).toHaveLength(1);
  outage.recovered("audit rows");
  expect(lines[1]).toEqual([{ outage_ms: 0, failures: 2, denied_rows: 2 }, BACK]);
});

it("does not say that the store answers again while it lacks rows of this process", async () => {
  const { lines, store, outage } = setUp();
  outage.failed("control state", new Error("connect ECONNREFUSED"));
  store.fault = new Error("the server lacks the acknowledged row gw.7");
  for (let n = 0; n < 3; n += 1) outage.recovered("control state");
  await nextTurn();
  outage.failed("audit rows", store.fault, 1);
  const what = "the store answers, but takes no audit rows: calls are denied until it does";
  expect(lines.slice(1)).toEqual([[{ cause: "the server lacks the acknowledged row gw.7" }, what]]);
  outage.recovered("audit rows");
  expect(lines.slice(2)).toEqual([[{ outage_ms: 0, failures: 2, denied_rows: 1 }, BACK]]);
});

it("logs the next outage again", async () => {
  const { lines, outage } = setUp();
  for (const message of ["one", "two"]) {
    outage.failed("control state", new Error(message));
    outage.recovered("control state");
    await nextTurn();
  }
  expect(lines.map(([, message]) => message)).toEqual([LOST, BACK, LOST, BACK]);
});

// proves STATE-13
it("says once, also within an outage, that the database lost what this process knows", () => {
  const { lines, outage } = setUp();
  outage.failed("control state", new Error("connect ECONNREFUSED"));
  for (let n = 0; n < 3; n += 1) outage.failed("control state", new LostControlStateError("revision 7"));
  const what = "control state was lost: calls are denied until an operator makes up for it";
  expect(lines.slice(1)).toEqual([[{ cause: "revision 7" }, what]]);
});
