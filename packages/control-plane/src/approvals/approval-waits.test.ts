import { MAX_APPROVAL_WAITERS, MAX_APPROVAL_WAITERS_PER_KEY } from "@svc/contract/limits";
import { recordingLogger } from "@svc/process/testing/recording-logger";
import { describe, expect, it } from "vitest";
import { FakeTime } from "../testing/fake-time.ts";
import { ApprovalWaits, type AwaitedApproval, type WaitResult } from "./approval-waits.ts";

const WAIT_MS = 30_000;

function waits(version = 1) {
  const time = new FakeTime();
  const log = recordingLogger();
  const stored = { version };
  const versions = async (names: readonly { readonly org: string; readonly id: string }[]) =>
    names.map((name) => ({ ...name, ...stored }));
  const approvalWaits = new ApprovalWaits({ approvals: { versions }, timers: time, log });
  const wait = (known: Partial<AwaitedApproval> = {}): Promise<WaitResult> => {
    const { signal } = new AbortController();
    const awaited = { org: "acme", id: "apr_1", version: 1, key: "k", waitMs: WAIT_MS, signal };
    return approvalWaits.wait({ ...awaited, ...known });
  };
  return { time, stored, approvalWaits, wait };
}

// proves APR-23
describe("requests that wait for approvals", () => {
  it("are at most a hundred of one key, and each that ends makes room", async () => {
    const { wait, time } = waits();
    const gone = new AbortController();
    const first = wait({ signal: gone.signal });
    const others = Array.from({ length: MAX_APPROVAL_WAITERS_PER_KEY - 1 }, () => wait());
    expect(await wait()).toBe("too_many_of_key");
    gone.abort();
    expect(await first).toBe("over");
    const last = wait();
    expect(await wait()).toBe("too_many_of_key");
    await time.advance(WAIT_MS);
    expect(new Set(await Promise.all([...others, last]))).toEqual(new Set(["over"]));
  });

  it("are at most a thousand in one process, and leave no timer behind", async () => {
    const { wait, time, approvalWaits } = waits();
    const all = Array.from({ length: MAX_APPROVAL_WAITERS }, (_, n) => wait({ key: `k-${String(n)}` }));
    expect(await wait({ key: "another" })).toBe("too_many");
    approvalWaits.announce("acme", "apr_1");
    expect(new Set(await Promise.all(all))).toEqual(new Set(["changed"]));
    await time.advance(WAIT_MS);
    expect(time.pending).toBe(0);
    const again = wait({ key: "another" });
    approvalWaits.stop();
    expect(await again).toBe("over");
    expect(await wait()).toBe("over");
  });

  it("wake up for the change of another process, and not for that of another approval", async () => {
    const { wait, time, stored, approvalWaits } = waits();
    const waiting = wait();
    approvalWaits.announce("acme", "apr_2");
    approvalWaits.announce("other", "apr_1");
    await time.advance(WAIT_MS / 2);
    stored.version = 2;
    await time.advance(WAIT_MS / 4);
    expect(await waiting).toBe("changed");
  });
});
