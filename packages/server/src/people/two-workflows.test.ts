// peers: postgres
import { adminPrincipal } from "@svc/contract/testing/principals";
import { approveCall } from "@svc/control-plane/approve-call";
import { createWorkflow } from "@svc/control-plane/change-workflow";
import { createPolicy } from "@svc/control-plane/create-policy";
import { execute } from "@svc/gateway/execute";
import { call } from "@svc/gateway/testing/test-gateway";
import { openPostgresStore } from "@svc/store/open-postgres-store";
import type { Store } from "@svc/store/ports/store";
import { describePostgres } from "@svc/store/testing/describe-postgres-suite";
import { openMemoryStore } from "@svc/store/testing/memory-store";
import { describe, expect, it, onTestFinished } from "vitest";
import { AGENT, TWO_PEOPLE } from "../testing/approval-policy.ts";
import { openWorld } from "../testing/approval-world.ts";

/** What finance approves ends where it begins to need the board as well. */
const RULES = [
  ["finance", 10],
  ["board", 1_000],
].map(([id, value], at) => ({
  id,
  priority: at,
  match: { condition: { field: "args.amount", operator: ">", value } },
  action: "require_approval",
  approval: { workflow: id },
}));

const SOURCE = JSON.stringify({
  id: "refunds",
  agent_id: AGENT,
  tools: { allowed: ["payments.*"] },
  rules: RULES,
});

const CONFLICT = { decision: "deny", reason_code: "approval_workflow_conflict", rule_id: "finance" };

function cases(open: () => Promise<Store>): void {
  async function govern() {
    const store = await open();
    onTestFinished(() => store.close());
    const { ports, gateway } = await openWorld(store);
    const person = adminPrincipal({ id: "approver" });
    for (const id of ["finance", "board"])
      await createWorkflow(ports, person, { ...TWO_PEOPLE, id, required: 1 });
    await createPolicy(ports, person, { source: SOURCE, mediaType: "application/json" });
    const ask = async (amount: number) =>
      execute(gateway.parts, {
        principal: adminPrincipal({ id: "caller" }),
        request: call({ agent_id: AGENT, args: { amount } }),
        requestId: { text: "req_1" },
      });
    const approve = async (amount: number, edited: number | null) => {
      const paused = await ask(amount);
      const id = paused.decision === "pause" ? (paused.approval_url.split("/").at(-1) ?? "") : "";
      const args = edited === null ? null : { amount: edited };
      return (await approveCall(ports, person, { id, reason: "why", args })).kind;
    };
    return { ask, approve };
  }

  // proves APR-74
  it("a call of two workflows is denied, and opens no approval that one of them could give", async () => {
    const { ask, approve } = await govern();
    expect(await ask(9_000)).toMatchObject(CONFLICT);
    expect(await approve(9_000, null)).toBe("problem");
    expect(await ask(9_000)).toMatchObject(CONFLICT);
    expect(await ask(5)).toMatchObject({ decision: "allow" });
  });

  // proves APR-74
  it("an edit by one workflow does not reach what another one must approve", async () => {
    const { ask, approve } = await govern();
    expect(await approve(900, 9_000)).toBe("ok");
    expect(await ask(900)).toMatchObject(CONFLICT);
    expect(await approve(800, 700)).toBe("ok");
    expect(await ask(800)).toMatchObject({ decision: "allow", shaped_args: { amount: 700 } });
  });
}

describe("two workflows with SQLite", () => {
  cases(async () => openMemoryStore());
});
describePostgres("two workflows with PostgreSQL", (server) => {
  cases(async () => openPostgresStore({ url: await server().createDatabase(), logId: "gw_test" }));
});
