import { setImmediate as nextTurn } from "node:timers/promises";
import type { AuditRow } from "@svc/contract/audit-row";
import { formatDecisionId } from "@svc/contract/decision-id";
import { adminPrincipal } from "@svc/contract/testing/principals";
import type { Verdict } from "@svc/contract/verdict";
import { activateKillSwitch } from "@svc/control-plane/activate-kill-switch";
import { ApprovalExpiry } from "@svc/control-plane/approval-expiry";
import { ApprovalWaits } from "@svc/control-plane/approval-waits";
import { approveCall } from "@svc/control-plane/approve-call";
import { cancelApproval } from "@svc/control-plane/cancel-approval";
import { createWorkflow } from "@svc/control-plane/change-workflow";
import { createPolicy } from "@svc/control-plane/create-policy";
import { deactivateKillSwitch } from "@svc/control-plane/deactivate-kill-switch";
import { denyApproval } from "@svc/control-plane/deny-approval";
import { SupervisionView } from "@svc/control-plane/supervision-view";
import { resumeApprovals, suspendApprovals } from "@svc/control-plane/suspend-approvals";
import { updatePolicy } from "@svc/control-plane/update-policy";
import { execute, executeOnce } from "@svc/gateway/execute";
import { gatewayOver } from "@svc/gateway/testing/gateway-over";
import { call } from "@svc/gateway/testing/test-gateway";
import { checkDocument, type DocumentText } from "@svc/policy-analysis/check-document";
import { FakeClock } from "@svc/process/testing/fake-clock";
import { nodeTimers } from "@svc/process/timers";
import type { Ledger } from "@svc/store/ports/ledger";
import type { Store } from "@svc/store/ports/store";
import { ApprovalModel } from "./approval-model.ts";
import { AGENT, policy, TWO_PEOPLE } from "./approval-policy.ts";
import { digestOf, loggedOf } from "./logged-approvals.ts";

/** What one party does. `pick` chooses among the approvals that are known. */
export type Step =
  | { readonly kind: "call"; readonly amount: number }
  /** With the Idempotency-Key of all such calls of this amount. */
  | { readonly kind: "keyed_call"; readonly amount: number }
  | {
      readonly kind: "resolve";
      readonly to: "approved" | "denied" | "cancelled";
      readonly pick: number;
      readonly by: (typeof APPROVERS)[number];
      readonly edited: number | null;
    }
  | { readonly kind: "wait"; readonly ms: number }
  | { readonly kind: "suspend" | "resume" | "kill" | "revive" | "change_policy" | "store_ends" };

/** What the party was told. `decision` names the row of an allow. */
export interface Told {
  readonly text: string;
  readonly decision: string | null;
  readonly version: number | null;
}

/** The people who resolve approvals. */
export const APPROVERS = ["approver", "approver-2"] as const;

/** Picks the approval that was opened last. */
export const LATEST = -1;
type World = Awaited<ReturnType<typeof openWorld>>;

/** The gateway and the operations of the control plane, as in the server, over one store. */
export async function openWorld(store: Store) {
  const clock = new FakeClock();
  const { audit, approvals, controlFeed: feed } = store;
  const gateway = await gatewayOver({ clock, ledger: slowly(store.ledger), audit, approvals, feed });
  const acknowledged = [{ id: "gw-1", acknowledged_ms: 1 }];
  const announce = () => gateway.follower.catchUp().then(() => acknowledged);
  const nothing = { gateways: [], affected: { agents: [], sessions: [] }, sighting: null };
  let ids = 0;
  const ports = {
    ...store,
    clock,
    timers: nodeTimers,
    log: gateway.log,
    rows: audit,
    approvalWaits: new ApprovalWaits({ approvals, timers: nodeTimers, log: gateway.log }),
    digest: digestOf,
    publicUrl: "http://svc.example",
    newId: (prefix: string) => `${prefix}_${String(++ids)}`,
    documents: { check: async (text: DocumentText) => checkDocument(text) },
    gateways: { list: () => Promise.resolve([]) },
    leads: () => true,
    sealedSecrets: { put: async () => undefined, get: async () => null, remove: async () => false },
    destinations: { judge: async () => null },
    supervised: new SupervisionView(),
    propagation: {
      announce,
      announcePolicyChange: announce,
      probePolicy: announce,
      announceKeyChange: announce,
      announceSwitch: () => ({ acknowledged: announce(), probed: Promise.resolve(nothing) }),
      probe: async () => nothing,
    },
  };
  return { store, clock, gateway, ports, expiry: new ApprovalExpiry(ports), readRows: 0 };
}

/** Turns of the event loop between a commit and the news of it, in which others act. */
const COMMIT_TURNS = 3;

function slowly(ledger: Ledger): Ledger {
  return {
    commit: async (entries) => {
      await nextTurn();
      const outcomes = await ledger.commit(entries);
      for (let turn = 0; turn < COMMIT_TURNS; turn += 1) await nextTurn();
      return outcomes;
    },
    settle: (settlement) => ledger.settle(settlement),
    usage: (key) => ledger.usage(key),
  };
}

/** One organization of a world, and the model of it. */
export class Interleaving {
  readonly model = new ApprovalModel();
  readonly #world: World;
  readonly #org: string;
  readonly #people;
  readonly #agent;
  #document = 1;
  #switchId = "";

  private constructor(world: World, org: string) {
    this.#world = world;
    this.#org = org;
    this.#people = adminPrincipal({ id: "approver", org });
    this.#agent = adminPrincipal({ id: "caller", org });
  }

  static async begin(world: World, org: string): Promise<Interleaving> {
    const interleaving = new Interleaving(world, org);
    const workflow = await createWorkflow(world.ports, interleaving.#people, TWO_PEOPLE);
    if (workflow.kind === "problem") throw new Error(workflow.problem.code);
    const created = await createPolicy(world.ports, interleaving.#people, policy(1));
    if (created.kind !== "created") throw new Error(`expected a policy, found ${created.kind}`);
    return interleaving;
  }

  get nowMs(): number {
    return this.#world.clock.now().getTime();
  }

  /** What the model foretells for a step that runs alone; null: it says nothing about repeats of a key. */
  foretold(step: Step): readonly string[] | null {
    const { model, nowMs } = this;
    switch (step.kind) {
      case "call":
        return model.call(step.amount, nowMs);
      case "keyed_call":
        return null;
      case "resolve": {
        const id = this.#picked(step.pick);
        if (id === null) return ["nothing"];
        return [model.may({ ...step, id }, nowMs) ? "done" : "conflict"];
      }
      case "suspend":
        return [`moved ${String(model.movable("pending", nowMs))}`];
      case "resume":
        return [`moved ${String(model.movable("suspended", nowMs))}`];
      default:
        return ["done"];
    }
  }

  async take(step: Step): Promise<Told> {
    const { ports, clock, gateway, expiry } = this.#world;
    const suspension = { org: this.#org, agentId: AGENT, principal: "approver", reason: "why" };
    switch (step.kind) {
      case "call":
        return this.#call(step.amount, false);
      case "keyed_call":
        return this.#call(step.amount, true);
      case "resolve":
        return told(await this.#resolve(step));
      case "suspend":
        return told(countOf(await suspendApprovals(ports, suspension)));
      case "resume":
        return told(countOf(await resumeApprovals(ports, suspension)));
      case "kill":
        await this.#kill();
        return told("done");
      case "revive":
        await this.#revive();
        return told("done");
      case "change_policy": {
        this.#document += 1;
        const update = { id: "refunds", text: policy(this.#document), expectedVersion: null };
        await updatePolicy(ports, this.#people, update);
        return told("done");
      }
      case "store_ends":
        await expiry.look();
        return told("done");
      case "wait":
        clock.ms += step.ms;
        await gateway.follower.catchUp();
        return told("done");
    }
  }

  /** Lets the model follow the rows that were written since the last time. */
  async follow(): Promise<void> {
    const world = this.#world;
    await world.gateway.withdrawals.drain();
    const rows = await world.store.audit.rows(world.store.logId, world.readRows, 1_000);
    for (const { logId, seq, bytes } of rows) {
      world.readRows = seq + 1;
      const row = JSON.parse(Buffer.from(bytes).toString("utf8")) as AuditRow;
      if (row.org !== this.#org) continue;
      const logged = loggedOf(row, formatDecisionId({ logId, seq }));
      if (logged !== null) this.model.follow(logged, Date.parse(row.time));
    }
  }

  async #call(amount: number, isKeyed: boolean): Promise<Told> {
    const known = new Set(this.model.approvals.map(({ id }) => id));
    const request = call({ agent_id: AGENT, args: { amount } });
    const received = { principal: this.#agent, request, requestId: { text: "req_1" } };
    const { parts } = this.#world.gateway;
    const name = String(amount);
    const verdict = isKeyed
      ? await executeOnce(parts, received, { idempotencyKey: name, bodyDigest: name })
      : await execute(parts, received);
    if (verdict === null) throw new Error("a key was used with two bodies");
    const decision = verdict.decision_id ?? null;
    const version = verdict.policy_version ?? null;
    switch (verdict.decision) {
      case "allow":
        return { text: `allow ${ranWith(verdict, amount)}`, decision, version };
      case "pause": {
        const id = verdict.approval_url.split("/").at(-1) ?? "";
        return { text: `pause ${known.has(id) ? id : "new"}`, decision: null, version };
      }
      case "deny":
        return { text: `deny ${verdict.reason_code}`, decision: null, version };
    }
  }

  async #resolve({ to, pick, by, edited }: Step & { readonly kind: "resolve" }): Promise<string> {
    const id = this.#picked(pick);
    if (id === null) return "nothing";
    const { ports } = this.#world;
    const person = adminPrincipal({ id: by, org: this.#org });
    const args = edited === null ? null : { amount: edited };
    const resolve = {
      approved: () => approveCall(ports, person, { id, reason: "why", args }),
      denied: () => denyApproval(ports, person, { id, reason: "why" }),
      cancelled: () => cancelApproval(ports, person, { id, reason: "why" }),
    };
    const outcome = await resolve[to]();
    return outcome.kind === "problem" ? outcome.problem.code : "done";
  }

  async #kill(): Promise<void> {
    const choices = { ttl_seconds: null, account_wide: false, auto_recovery: false, dry_run: false };
    const outcome = await activateKillSwitch(this.#world.ports, this.#people, {
      ...choices,
      scope: "agent",
      target_id: AGENT,
      reason: "why",
      activated_by: "approver",
      trigger_source: "api",
    });
    if (outcome.kind === "activated") this.#switchId = outcome.answer.kill_switch_id;
  }

  async #revive(): Promise<void> {
    if (this.#switchId === "") return;
    const actor = { reason: "why", deactivated_by: "approver", trigger_source: "api" as const };
    await deactivateKillSwitch(this.#world.ports, this.#people, { ...actor, kill_switch_id: this.#switchId });
  }

  #picked(pick: number): string | null {
    const { approvals } = this.model;
    return approvals.length === 0
      ? null
      : (approvals.at(pick === LATEST ? LATEST : pick % approvals.length)?.id ?? null);
  }
}

function ranWith(verdict: Verdict & { readonly decision: "allow" }, asked: number): string {
  return String(verdict.args_constrained ? Number(verdict.shaped_args["amount"]) : asked);
}

function told(text: string): Told {
  return { text, decision: null, version: null };
}

function countOf(moved: Awaited<ReturnType<typeof suspendApprovals>>): string {
  return moved.kind === "ok" ? `moved ${String(moved.value)}` : moved.problem.code;
}
