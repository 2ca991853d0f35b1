import { PROPAGATION_WAIT_MS } from "@svc/contract/limits";
import { describe, expect, it } from "vitest";
import type { ProbeResult, RecentCallers } from "./propagation.ts";
import { recentCallers, sightedByLog } from "./recent-callers.ts";
import { testPorts } from "./testing/test-ports.ts";

const TARGET = { org: "acme", scope: "agent", targetId: "a-1" } as const;
const PROBE: ProbeResult = { gateways: [], affected: { agents: ["a-1"], sessions: ["s-2"] }, sighting: null };
const LOGGED: RecentCallers = { agents: ["a-1"], sessions: ["s-1"], complete: true };

/** @param callers what the audit log answers */
function asked(callers: () => Promise<RecentCallers>, probe: ProbeResult | null, isPatient = true) {
  const ports = testPorts();
  const callCounter = { ...ports.callCounter, callers };
  const question = { target: TARGET, probed: Promise.resolve(probe), isPatient };
  return { ports, answer: recentCallers({ ...ports, callCounter }, question) };
}

describe("the recent callers of a target", () => {
  it("are those of the audit log and those that gateways remember", async () => {
    const { answer } = asked(async () => LOGGED, PROBE);
    expect(await answer).toEqual({ agents: ["a-1"], sessions: ["s-1", "s-2"], complete: true });
  });

  it("are all known without any gateway, and nobody is a whole answer", async () => {
    expect(await asked(async () => LOGGED, null).answer).toEqual(LOGGED);
    const nobody = { agents: [], sessions: [], complete: true };
    expect(await asked(async () => nobody, null).answer).toEqual(nobody);
  });

  // proves AGT-15
  it("are not complete by what gateways remember alone", async () => {
    const { ports, answer } = asked(() => Promise.reject(new Error("no index")), PROBE);
    expect(await answer).toEqual({ agents: ["a-1"], sessions: ["s-2"], complete: false });
    expect(ports.logged).toEqual(["who called lately could not be read from the audit index"]);
    expect(await asked(async () => ({ ...LOGGED, complete: false }), PROBE).answer).toMatchObject({
      complete: false,
    });
  });

  it("are unknown when neither answers", async () => {
    expect(await asked(() => Promise.reject(new Error("no index")), null).answer).toBeNull();
  });

  it("do not hold up an activation", async () => {
    const never = () => new Promise<never>(() => {});
    const { ports, answer } = asked(never, PROBE, false);
    await ports.time.advance(PROPAGATION_WAIT_MS);
    expect(await answer).toMatchObject({ sessions: ["s-2"], complete: false });
  });
});

describe("a name that no gateway has seen since its start", () => {
  const since = "2026-01-01T09:00:00.000Z";
  const unseen = { ...PROBE, sighting: { seen: false, nearest: "a-2", since } };
  const asks = (callers: (query: { readonly sinceMs: number }) => Promise<RecentCallers>) => {
    const ports = testPorts();
    const question = { target: TARGET, probed: Promise.resolve(unseen), isPatient: true };
    return sightedByLog({ ...ports, callCounter: { ...ports.callCounter, callers } }, question);
  };

  // proves CLI-83
  it("is known where the audit log has a call of it, however old", async () => {
    const found = await asks(async ({ sinceMs }) =>
      sinceMs === 0 ? LOGGED : { agents: [], sessions: [], complete: true },
    );
    expect(found?.sighting).toEqual({ seen: true, nearest: null, since });
  });

  // proves CLI-83
  it("stays unknown where the log has none, and where it does not answer", async () => {
    expect(await asks(async () => ({ agents: [], sessions: [], complete: true }))).toEqual(unseen);
    expect(await asks(() => Promise.reject(new Error("no index")))).toEqual(unseen);
  });
});
