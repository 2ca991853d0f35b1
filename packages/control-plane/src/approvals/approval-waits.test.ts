import { MAX_APPROVAL_WAITERS, MAX_APPROVAL_WAITERS_PER_KEY } from "@svc/contract/limits";
import { recordingLogger } from "@svc/process/testing/recording-logger";
import { describe, expect, it } from "vitest";
import { FakeTime } from "../testing/fake-time.ts";
import { ApprovalWaits, type AwaitedApproval } from "./approval-waits.ts";

const WAIT_MS = 30_000;

function waits(version = 1) {
  const time = new FakeTime();
  const log = recordingLogger();
  const stored = { version };
  const store = { isAway: false };
  const versions = async (names: readonly { readonly org: string; readonly id: string }[]) => {
    if (store.isAway) throw new Error("the database is away");
    return names.map((name) => ({ ...name, ...stored }));
  };
  const approvalWaits = new ApprovalWaits({ approvals: { versions }, timers: time, log });
  const wait = async (known: Partial<AwaitedApproval> = {}): Promise<string> => {
    const { signal } = new AbortController();
    const awaited = { org: "acme", id: "apr_1", version: 1, key: "k", waitMs: WAIT_MS, signal };
    const result = await approvalWaits.wait({ ...awaited, ...known });
    return result.kind === "full" ? `full: ${result.limit}, ${String(result.ofOrg)}` : result.kind;
  };
  return { time, stored, store, approvalWaits, wait, log };
}

// proves APR-23, APR-73
describe("requests that wait for approvals", () => {
  it("are at most a hundred of one key, and each that ends makes room", async () => {
    const { wait, time } = waits();
    const gone = new AbortController();
    const first = wait({ signal: gone.signal });
    const others = Array.from({ length: MAX_APPROVAL_WAITERS_PER_KEY - 1 }, () => wait());
    expect(await wait()).toBe("full: key, 100");
    gone.abort();
    expect(await first).toBe("over");
    const last = wait();
    expect(await wait()).toBe("full: key, 100");
    await time.advance(WAIT_MS);
    expect(new Set(await Promise.all([...others, last]))).toEqual(new Set(["over"]));
  });

  it("leave places to other organizations, whatever keys one organization has", async () => {
    const { wait, approvalWaits } = waits();
    const half = MAX_APPROVAL_WAITERS / 2;
    const all = Array.from({ length: half }, (_, n) => wait({ key: `k-${String(n)}` }));
    expect(await wait({ key: "another" })).toBe("full: organization, 500");
    const other = wait({ org: "other" });
    approvalWaits.announce("other", "apr_1");
    expect(await other).toBe("changed");
    approvalWaits.announce("acme", "apr_1");
    expect(new Set(await Promise.all(all))).toEqual(new Set(["changed"]));
  });

  it("are at most a thousand in one process, and leave no timer behind", async () => {
    const { wait, time, approvalWaits } = waits();
    const all = Array.from({ length: MAX_APPROVAL_WAITERS }, (_, n) => wait({ org: `org-${String(n)}` }));
    expect(await wait({ org: "another" })).toBe("full: process, 0");
    for (let n = 0; n < all.length; n += 1) approvalWaits.announce(`org-${String(n)}`, "apr_1");
    expect(new Set(await Promise.all(all))).toEqual(new Set(["changed"]));
    await time.advance(WAIT_MS);
    expect(time.pending).toBe(0);
    const again = wait({ key: "another" });
    approvalWaits.stop();
    expect(await again).toBe("stopped");
    expect(await wait()).toBe("stopped");
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

  it("outlast an outage of the store, which is logged once", async () => {
    const { wait, time, stored, store, log } = waits();
    const waiting = wait();
    store.isAway = true;
    await time.advance(WAIT_MS / 2);
    expect(log.messages).toHaveLength(1);
    store.isAway = false;
    stored.version = 2;
    await time.advance(WAIT_MS / 4);
    expect(await waiting).toBe("changed");
  });
});
