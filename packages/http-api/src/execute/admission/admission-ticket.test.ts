import { expect, it } from "vitest";
import { Admission } from "./admission.ts";
import type { AdmissionState } from "./admission-metrics.ts";
import { AdmissionTicket } from "./admission-ticket.ts";
import { CALL_OVERHEAD_BYTES, SMALL_CALLS_BYTES } from "./limits.ts";

/** An admission, and what it counts for agents: more than half of the bytes are refused to one. */
function setUp() {
  let state: AdmissionState | null = null;
  const admission = new Admission({ refused: () => undefined, watch: (read) => void (state = read) });
  const agentIsFree = (agent: string): boolean => {
    const call = { agent, size: "small", bytes: SMALL_CALLS_BYTES / 2 - CALL_OVERHEAD_BYTES } as const;
    const isFree = admission.admitAgent(call) === null;
    if (isFree) admission.releaseAgent(call);
    return isFree;
  };
  return { admission, agentIsFree, heldBytes: () => state?.bytesInFlight("small") };
}

const BODY = { caller: "o/k", size: "small", bytes: 10 } as const;
const call = (agent: string) => ({ agent, size: "small", bytes: 10 }) as const;

it("gives back what it took, once", () => {
  const { admission, agentIsFree, heldBytes } = setUp();
  const ticket = new AdmissionTicket(admission);
  expect([ticket.admitBody(BODY), ticket.admitAgent(call("a"))]).toEqual([null, null]);
  expect([heldBytes(), agentIsFree("a")]).toEqual([10 + CALL_OVERHEAD_BYTES, false]);
  ticket.release();
  ticket.release();
  expect([heldBytes(), agentIsFree("a")]).toEqual([0, true]);
});

it("counts for one agent at a time, and for none while it waits", () => {
  const { admission, agentIsFree } = setUp();
  const ticket = new AdmissionTicket(admission);
  ticket.admitAgent(call("a"));
  ticket.admitAgent(call("b"));
  expect([agentIsFree("a"), agentIsFree("b")]).toEqual([true, false]);
  ticket.releaseAgent();
  expect(agentIsFree("b")).toBe(true);
});

it("holds nothing of what was refused", () => {
  const { admission, heldBytes } = setUp();
  const ticket = new AdmissionTicket(admission);
  expect(ticket.admitBody({ ...BODY, bytes: SMALL_CALLS_BYTES })).toMatchObject({
    code: "too_many_requests",
  });
  expect(ticket.admitAgent({ ...call("a"), bytes: SMALL_CALLS_BYTES })).toMatchObject({
    code: "too_many_requests",
  });
  ticket.release();
  expect(heldBytes()).toBe(0);
});
