import { adminPrincipal } from "@svc/contract/testing/principals";
import { NO_CLAIMS } from "@svc/store/ports/claims";
import { canonicalJson } from "@svc/text/canonical-json";
import { beforeEach, describe, expect, it } from "vitest";
import { openClaim } from "../testing/open-claim.ts";
import { type TestPorts, testPorts } from "../testing/test-ports.ts";
import { denyApproval } from "./deny-approval.ts";
import { resumeApprovals, suspendApprovals } from "./suspend-approvals.ts";

const PEOPLE = adminPrincipal({ id: "approver", org: "acme" });
const SUSPENSION = { org: "acme", agentId: "a-1", principal: "rogue_detection", reason: "critical" };

/** More than one page of a suspension. */
const MANY = 220;

let ports: TestPorts;

beforeEach(() => {
  ports = testPorts();
});

async function open(...names: readonly string[]): Promise<void> {
  const atMs = ports.clock.now().getTime();
  const row = canonicalJson({ args: {}, args_digest: "d", call_digest: "d", reason: "why" });
  const maxOpen = { organization: 10_000, agent: 10_000, key: 10_000 };
  const entries = names.map((approvalId) => ({
    row,
    claims: { ...NO_CLAIMS, opensApproval: openClaim(atMs, { approvalId, binding: approvalId, maxOpen }) },
  }));
  const outcomes = await ports.database.ledger.commit(entries);
  expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(["committed"]));
}

const named = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, n) => `${prefix}_${String(n)}`);

const statusOf = async (id: string) => (await ports.approvals.approval("acme", id))?.status;

/** The steps of each approval, by the log. */
function loggedSteps(): (id: string) => readonly string[] {
  const rows = ports.database.auditRows.filter((row) => row.kind === "approval");
  return (id) => rows.filter(({ approval_id }) => approval_id === id).map(({ action }) => action);
}

/** Runs once, before the n-th change of an approval takes effect. */
function beforeChange(nth: number, work: () => Promise<unknown>): void {
  let changes = 0;
  ports.database.before = async (name) => {
    if (name !== "changeApproval") return;
    changes += 1;
    if (changes !== nth) return;
    await work();
  };
}

// proves APR-26
describe("a suspension that others race with", () => {
  it("suspends every approval that was open when it began, whatever opens and ends meanwhile", async () => {
    const before = named("apr", MANY);
    await open(...before);
    const meanwhile = named("new", 30);
    beforeChange(50, async () => {
      await open(...meanwhile);
      await denyApproval(ports, PEOPLE, { id: "apr_0", reason: "no" });
    });
    const moved = await suspendApprovals(ports, SUSPENSION);
    expect(await statusOf("apr_0")).toBe("denied");
    const stepsOf = loggedSteps();
    expect(stepsOf("apr_0").at(-1)).toBe("denied");
    for (const id of before.slice(1)) {
      expect(await statusOf(id)).toBe("suspended");
      expect(stepsOf(id)).toEqual(["suspended"]);
    }
    expect(moved).toMatchObject({ kind: "ok" });
    await suspendApprovals(ports, SUSPENSION);
    for (const id of meanwhile) expect(await statusOf(id)).toBe("suspended");
    expect(await resumeApprovals(ports, SUSPENSION)).toEqual({ kind: "ok", value: MANY - 1 + 30 });
  });

  it("leaves each approval in the state of its last row, when its end races with it", async () => {
    const ids = named("apr", 20);
    await open(...ids);
    const outcomes = await Promise.all([
      suspendApprovals(ports, SUSPENSION),
      resumeApprovals(ports, SUSPENSION),
      suspendApprovals(ports, SUSPENSION),
      open("apr_new"),
      resumeApprovals(ports, SUSPENSION),
    ]);
    for (const outcome of outcomes) if (outcome !== undefined) expect(outcome.kind).toBe("ok");
    const stepsOf = loggedSteps();
    for (const id of [...ids, "apr_new"]) {
      const steps = stepsOf(id);
      steps.forEach((step, at) => expect(step).toBe(at % 2 === 0 ? "suspended" : "resumed"));
      expect(await statusOf(id)).toBe(steps.at(-1) === "suspended" ? "suspended" : "pending");
    }
  });

  it("leaves alone what ends by time while it works", async () => {
    await open(...named("apr", 3));
    beforeChange(1, () => ports.time.advance(60_000));
    expect(await suspendApprovals(ports, SUSPENSION)).toEqual({ kind: "ok", value: 1 });
    // The first change was decided while there was time.
    expect(named("apr", 3).flatMap(loggedSteps())).toEqual(["suspended"]);
  });
});
