import type { ExecuteRequest } from "@svc/contract/execute-request";
import type { OutcomeReport } from "@svc/contract/outcome";
import type { Principal } from "@svc/contract/principal";
import type { Verdict } from "@svc/contract/verdict";
import { ActivityWindow } from "@svc/gateway/activity-window";
import { arePlainNames } from "@svc/gateway/call-facts";
import type { IdempotentCall } from "@svc/gateway/claimed-key";
import { execute, executeOnce } from "@svc/gateway/execute";
import type { ExecuteParts } from "@svc/gateway/execute-parts";
import { KeyedMutex } from "@svc/gateway/keyed-mutex";
import { namespaceOf } from "@svc/gateway/namespace-of";
import { type OutcomeResult, reportOutcome } from "@svc/gateway/outcome";
import { sessionKeyOf } from "@svc/gateway/session-key";
import { Withdrawals } from "@svc/gateway/withdrawals";
import { renderTrace } from "@svc/policy-analysis/render-trace";
import { simulateCall } from "@svc/policy-analysis/simulate-call";
import { NO_USAGE } from "@svc/store/claims/counters";
import { canonicalJson } from "@svc/text/canonical-json";
import type { JsonObject } from "@svc/text/json-value";
import { KeyedDigest } from "@svc/text/keyed-digest";
import { parseJson } from "@svc/text/parse-json";
import type { ExpectedDecision, KitDecision } from "./decision.ts";
import { DecisionBook, type KnownCall } from "./decision-book.ts";
import { type Expectation, expectDecision } from "./expect-decision.ts";
import { KIT_ORG, type KillOrder, KitControl } from "./kit-control.ts";
import { type KitSettings, principalOf, workflowsOf } from "./kit-settings.ts";
import { MemoryLedger } from "./memory-ledger.ts";
import { type ReadPolicy, readPolicies } from "./read-policies.ts";
import { VirtualClock } from "./virtual-clock.ts";

/** Prefix of approval URLs. The name can never be resolved (RFC 2606), so nobody is asked elsewhere. */
const PUBLIC_URL = "http://policy-gateway.invalid";

/**
 * A gateway in memory for tests: the execute pipeline of the real one, over policies that are in force at
 * once, a ledger that nothing outlives, and a clock that stands still. It reads no file, and it opens no
 * connection to anything.
 */
export class TestGateway {
  readonly clock: VirtualClock;
  /** What the service would warn of in the policies; empty when there is nothing. */
  readonly warnings: string;
  readonly #policies: readonly ReadPolicy[];
  readonly #control: KitControl;
  readonly #ledger: MemoryLedger;
  readonly #principal: Principal;
  readonly #book = new DecisionBook();
  readonly #faults: string[] = [];
  readonly #parts: ExecuteParts;
  #requests = 0;

  /** @throws KitRefusal for what the service would refuse, and for settings that it does not know */
  constructor({ policies, nowMs, workflows = [], role }: KitSettings) {
    this.clock = new VirtualClock(nowMs);
    this.#policies = readPolicies(policies);
    this.warnings = this.#policies
      .map((policy) => policy.warnings)
      .filter(Boolean)
      .join("\n\n");
    this.#principal = principalOf(role);
    this.#control = new KitControl(this.#policies, this.clock);
    this.#ledger = new MemoryLedger(workflowsOf(workflows, this.clock.now().toISOString()));
    this.#parts = this.#makeParts();
  }

  /** Every fault of the decision is a deny. Null: another request has the key. */
  async execute(request: ExecuteRequest, key: IdempotentCall | null): Promise<Verdict | null> {
    const call = this.#knownCall(request);
    this.#control.governNamespace(call.namespace);
    this.#requests += 1;
    const received = {
      principal: this.#principal,
      request,
      requestId: { text: `req_${String(this.#requests)}` },
    };
    const verdict =
      key === null ? await execute(this.#parts, received) : await executeOnce(this.#parts, received, key);
    if (verdict !== null) this.#book.note(call, verdict);
    return verdict;
  }

  async report(outcome: OutcomeReport): Promise<OutcomeResult> {
    const parts = { ledger: this.#ledger, audit: this.#ledger, clock: this.clock };
    const result = await reportOutcome(parts, this.#principal, outcome);
    if (result.kind === "recorded") this.#book.settle(outcome);
    return result;
  }

  /** Every call that was decided, oldest first. */
  get decisions(): readonly KitDecision[] {
    return this.#book.decisions;
  }

  expectDecision(expected: ExpectedDecision): Expectation {
    return expectDecision(expected, this.decisions, (decision) => this.explain(decision));
  }

  /** @param approval null: the one that is open @param args in place of those of the call @returns its id */
  approve(approval: string | null, args: JsonObject | null): string {
    return this.#ledger.approvals.approve(approval, args, this.clock.nowMs());
  }

  /** Ends an approval, so that its call does not run. */
  denyApproval(approval: string | null): string {
    return this.#ledger.approvals.deny(approval, this.clock.nowMs());
  }

  /** @returns the id of the switch */
  kill(order: KillOrder): string {
    return this.#control.activate(order);
  }

  endKill(id: string): void {
    this.#control.deactivate(id);
  }

  advance(durationMs: number): void {
    this.clock.advance(durationMs);
    this.#control.endExpired();
  }

  /** How the policy came to a decision, as lines. */
  explain(decision: KitDecision): readonly string[] {
    const call = this.#book.callOf(decision);
    const policy = this.#policies.find(
      ({ compiled: { id } }) => id === (decision.policy_id ?? call?.policyId),
    );
    const faults = this.#faults.map((fault) => `fault: ${fault}`);
    if (call === null || policy === undefined)
      return [decision.reason ?? "no policy governs this agent", ...faults];
    const matched = decision.kill_switch_id === null ? null : this.#control.switchOf(decision.kill_switch_id);
    const simulated = simulateCall(policy.explaining(), { call, killSwitches: { checked: [], matched } });
    const approved = simulated.verdict.decision === "pause" && decision.decision === "allow";
    const first = decision.repeated ? ["the call was decided before under its key"] : [];
    const last = approved ? ["an approval was given, and lets the call pass once"] : [];
    return [...first, ...renderTrace(simulated.explanation), ...last, ...faults];
  }

  /** The call as the policy saw it. */
  #knownCall(request: ExecuteRequest): KnownCall {
    const { agent_id: agentId, session_id: sessionId, tool, args, cost_micro_usd: costMicroUsd } = request;
    const { state } = this.#control;
    const namespace = namespaceOf(state, KIT_ORG, request);
    const facts = {
      org: KIT_ORG,
      principal: this.#principal.id,
      agentId,
      sessionId,
      namespace,
      namesNamespace: request.namespace !== null,
      namesArePlain: arePlainNames({ namespace, agentId, sessionId, tool }),
      traceId: null,
      tool,
      timeMs: this.clock.nowMs(),
      costMicroUsd,
      costIsTrusted: this.#principal.scopes.has("outcome:refund"),
    };
    const key = sessionKeyOf(facts);
    const usage = key === null ? NO_USAGE : this.#ledger.usageNow(key);
    const own = this.#policies.find(({ compiled }) => compiled.agentId === agentId);
    const any = this.#policies.find(({ compiled }) => compiled.agentId === null);
    return { ...facts, args: copied(args), context: { usage }, policyId: (own ?? any)?.compiled.id ?? null };
  }

  #makeParts(): ExecuteParts {
    const ledger = this.#ledger;
    const { clock } = this;
    const log = this.#faultLog();
    const withdrawals = new Withdrawals({ ledger, clock, log });
    return {
      control: this.#control,
      queue: {
        append: (entry) => ledger.append(entry),
        enqueue: (entry, { onOutcome }) => void ledger.append(entry).then(onOutcome),
        isStalled: false,
        isCommitting: false,
        countSkippedRow: () => undefined,
      },
      onLateRow: (late) => withdrawals.withdrawLate(late),
      usage: (key) => ledger.usage(key),
      sessionMutex: new KeyedMutex(),
      audit: ledger,
      grant: (org, approvalId) => ledger.approvals.grant(org, approvalId),
      usableElsewhere: async (_org, question) => ledger.approvals.usableElsewhere(question),
      withdraw: (row) => withdrawals.withdraw(row),
      activity: new ActivityWindow(clock),
      // Nothing outlives the test, so the key protects nothing.
      digest: new KeyedDigest("00".repeat(32)),
      clock,
      log,
      publicUrl: PUBLIC_URL,
    };
  }

  /** Keeps what a gateway would log about its own faults. */
  #faultLog(): ExecuteParts["log"] {
    const quiet = (): void => undefined;
    const error = (fields: object, message: string): void => {
      const { err } = fields as { readonly err?: unknown };
      this.#faults.push(err instanceof Error ? `${message}: ${err.message}` : message);
    };
    return { debug: quiet, info: quiet, warn: quiet, error };
  }
}

/** Nobody can change a decision afterwards by its arguments. */
function copied(args: JsonObject): JsonObject {
  return parseJson(canonicalJson(args)) as JsonObject;
}
