import type { ApprovalWorkflow } from "@svc/contract/approval-workflow";
import type { AppendOutcome } from "@svc/log-writer/ledger-queue";
import { addUsage, NO_USAGE, sessionKeyText } from "@svc/store/claims/counters";
import type { LockedKey } from "@svc/store/claims/idempotency";
import { type ClaimState, judgeClaims, type TakenClaims } from "@svc/store/claims/judge-claims";
import type { Claims } from "@svc/store/ports/claims";
import type { LedgerEntry, LedgerOutcome, Settlement, SettlementOutcome } from "@svc/store/ports/ledger";
import type { RowPosition } from "@svc/store/ports/row-position";
import type { SessionKey, SessionUsage } from "@svc/store/ports/session-usage";
import { MemoryApprovals } from "./memory-approvals.ts";

/** The ledgers of this process. Their number keeps the decisions of two test gateways apart. */
let made = 0;

/**
 * A ledger in memory. Claims are judged by the code of the stores, and what they take is kept here. Nothing
 * is durable: it goes with the test.
 */
export class MemoryLedger {
  readonly approvals: MemoryApprovals;
  /** Clients know the decisions of a test by it: no other gateway has such a log. */
  readonly #logId = `svc-test-${(made += 1)}`;
  readonly #rows: string[] = [];
  readonly #usages = new Map<string, SessionUsage>();
  readonly #keys = new Map<string, LockedKey>();
  /** Digest of the first report, by the row of its decision. */
  readonly #reports = new Map<number, string>();

  constructor(workflows: ReadonlyMap<string, ApprovalWorkflow>) {
    this.approvals = new MemoryApprovals(workflows);
  }

  /** As `LedgerQueue.append`: here every entry is a batch of its own. */
  async append(entry: LedgerEntry): Promise<AppendOutcome> {
    return this.#commit(entry);
  }

  async row({ logId, seq }: RowPosition): Promise<{ readonly bytes: string } | null> {
    const bytes = logId === this.#logId ? this.#rows[seq] : undefined;
    return bytes === undefined ? null : { bytes };
  }

  async usage(key: SessionKey): Promise<SessionUsage> {
    return this.usageNow(key);
  }

  usageNow(key: SessionKey): SessionUsage {
    return this.#usages.get(sessionKeyText(key)) ?? NO_USAGE;
  }

  async commit(entries: readonly LedgerEntry[]): Promise<readonly LedgerOutcome[]> {
    return entries.map((entry) => this.#commit(entry));
  }

  /** Settles as the stores do: outcome, idempotency key, grant, row, usage. */
  async settle(settlement: Settlement): Promise<SettlementOutcome> {
    const { decision, digest, idempotencyKey, charges, row } = settlement;
    const first = this.#reports.get(decision.seq);
    if (first !== undefined) return { kind: first === digest ? "repeated" : "conflict" };
    const held = [...this.#keys].find(([, { position }]) => position.seq === decision.seq);
    if (idempotencyKey === "released_unless_repeated" && held?.[1].repeated !== false)
      return { kind: "in_use" };
    this.#reports.set(decision.seq, digest);
    if (idempotencyKey !== "kept" && held !== undefined) this.#keys.delete(held[0]);
    if (settlement.grant === "released") this.approvals.releaseGrantOf(decision);
    this.#rows.push(row);
    for (const charge of charges) {
      const usage = addUsage(this.usageNow(charge.key), charge);
      this.#usages.set(sessionKeyText(charge.key), usage);
    }
    return { kind: "settled" };
  }

  #commit({ row, claims }: LedgerEntry): LedgerOutcome {
    const position = { logId: this.#logId, seq: this.#rows.length };
    const { verdicts, taken } = judgeClaims([{ claims }], this.#stateFor(claims), position);
    this.#take(taken);
    const [refusal = null] = verdicts;
    if (refusal !== null) return refusal;
    this.#rows.push(row);
    return { kind: "committed", position };
  }

  #stateFor({ opensApproval }: Claims): ClaimState {
    return {
      usages: this.#usages,
      keys: this.#keys,
      grants: this.approvals.grantsByText(),
      approvals: this.approvals.heldFor(opensApproval),
      // No session of a test is suspended, so no call is held.
      heldCalls: { held: new Map(), counts: new Map() },
    };
  }

  #take({ counters, keys, grants, approvals }: TakenClaims): void {
    for (const [text, { usage }] of counters.charged) this.#usages.set(text, usage);
    for (const [text, { holder }] of keys.changed) this.#keys.set(text, holder);
    for (const { claim, positions } of grants.used.values())
      for (const position of positions) this.approvals.use(claim, position);
    for (const opened of approvals.opened.values()) this.approvals.open(opened);
  }
}
