import type { DecisionRow, OutcomeRow } from "@svc/contract/audit-row";
import { MAX_REPLAYED_CHARGES } from "@svc/contract/limits";
import type { ProposedPolicy } from "@svc/contract/policy-proposal";
import { exceededCeilings } from "@svc/engine/apply-mode";
import type { DecidingDocument } from "@svc/engine/compile-document";
import { matchesGlob } from "@svc/engine/glob";
import type { RuleBody } from "@svc/engine/policy-document";
import type { JsonObject } from "@svc/text/json-value";
import { parseUsd } from "@svc/text/usd";
import { callOf } from "../explain/call-of-row.ts";
import { mayHoldMask } from "../explain/masked-args.ts";
import { type ReplayedUsage, SessionUsageTable } from "../replay/session-usage-table.ts";
import { TooManySessions } from "../replay/too-many-sessions.ts";
import { compileWatched, type WatchedPolicy } from "../replay/watched-policy.ts";
import { renderProposal } from "./render-proposal.ts";
import { SeenArguments } from "./seen-arguments.ts";
import { SeenSubjects } from "./seen-subjects.ts";
import type { SeenTool, SurveyScope } from "./seen-tool.ts";

/** Most tools of one proposal, as count: a list of a policy takes no more. */
const MAX_TOOLS = 1_000;

/** A policy that governs now. */
export interface PresentPolicy {
  readonly document: DecidingDocument & { readonly rules: readonly RuleBody[] };
  /** The document as it was written, as JSON. */
  readonly written: JsonObject;
}

/** Collects what ran, and proposes the smallest policy that allows it. */
export class Survey {
  readonly #scope: SurveyScope;
  readonly #present: PresentPolicy | null;
  readonly #tools = new Map<string, SeenTool>();
  readonly #ran = new Map<string, string>();
  readonly #sessions = new SessionUsageTable();
  readonly #subjects = new SeenSubjects();
  /** Rules of the present policy that deny or pause what ran. */
  readonly #dropped = new Set<string>();
  #dropsCeilings = false;
  #rules: LeftRules | null;

  constructor(present: PresentPolicy | null, scope: SurveyScope) {
    this.#present = present;
    this.#scope = scope;
    this.#rules = this.#compileRules();
  }

  take(decisionId: string, row: DecisionRow | OutcomeRow): void {
    const { org, since, until, agentId, namespace } = this.#scope;
    if (row.org !== org || row.time < since || row.time >= until) return;
    if (row.kind === "outcome") return this.#settle(row);
    this.#subjects.note(agentId === null ? row.namespace : row.agent_id);
    if (row.decision !== "allow" || mayHoldMask(row.tool)) return;
    if (agentId !== null && row.agent_id !== agentId) return;
    if (namespace !== null && row.namespace !== namespace) return;
    this.#note(decisionId, row);
  }

  result(): ProposedPolicy {
    const tools = [...this.#tools]
      .filter(([, { calls }]) => calls > 0)
      .toSorted(([a], [b]) => (a < b ? -1 : 1));
    const written = this.#present?.written ?? {};
    const names = tools.map(([name]) => name);
    return {
      document: renderProposal({
        scope: this.#scope,
        written,
        tools,
        dropped: this.#dropped,
        dropsCeilings: this.#dropsCeilings,
      }),
      policy_id: this.#present?.document.head.id ?? null,
      grants: tools.map(([tool, { calls, lastUse }]) => ({ tool, calls, last_use: lastUse })),
      unused: this.#unused(names),
      left_out: [...this.#dropped].toSorted(),
      warnings: tools.length > 0 ? [] : [this.#subjects.warning(this.#scope)],
    };
  }

  #unused(names: readonly string[]): ProposedPolicy["unused"] {
    if (this.#present === null) return [];
    const { allowed, rules } = this.#present.document;
    const isUnused = (glob: string): boolean => !names.some((name) => matchesGlob(glob, name));
    const entries = allowed.filter(isUnused).map((entry) => ({ kind: "tools.allowed", entry }) as const);
    const idle = rules.filter(({ action, tools }) => action.kind === "allow" && tools.every(isUnused));
    return [...entries, ...idle.map(({ id }) => ({ kind: "rule", entry: id }) as const)];
  }

  #settle({ decision_id: id, status }: OutcomeRow): void {
    const tool = this.#ran.get(id);
    if (tool === undefined) return;
    this.#ran.delete(id);
    const seen = this.#tools.get(tool);
    if (status === "not_executed" && seen !== undefined) seen.calls -= 1;
  }

  #note(decisionId: string, row: DecisionRow): void {
    let tool = this.#tools.get(row.tool);
    if (tool === undefined) {
      if (this.#tools.size >= MAX_TOOLS)
        throw new TooManySessions(`more than ${String(MAX_TOOLS)} tools ran`);
      tool = { calls: 0, lastUse: row.time, needsEntry: false, seen: new SeenArguments() };
      this.#tools.set(row.tool, tool);
    }
    tool.calls += 1;
    tool.lastUse = row.time;
    if (this.#scope.showsArguments) tool.seen.note(row.args);
    this.#ran.set(decisionId, row.tool);
    if (this.#ran.size > MAX_REPLAYED_CHARGES) {
      const [oldest] = this.#ran.keys();
      if (oldest !== undefined) this.#ran.delete(oldest);
    }
    if (this.#isInNeedOfEntry(decisionId, row)) tool.needsEntry = true;
  }

  /** Leaves rules out until the call is allowed, and says whether a list must name its tool. */
  #isInNeedOfEntry(decisionId: string, row: DecisionRow): boolean {
    const usage = this.#usageOf(row);
    for (;;) {
      if (this.#rules === null) return true;
      const call = callOf(row, usage);
      const { evaluation } = this.#rules.besideEverything.evaluateMasked(call);
      const isApproved = evaluation.decision === "pause" && row.approval_id !== null;
      if (evaluation.reasonCode === "session_required") this.#dropCeilings();
      else if (evaluation.ruleId !== null && evaluation.decision !== "allow" && !isApproved)
        this.#drop(evaluation.ruleId);
      else {
        if (usage !== null) this.#charge(decisionId, usage, evaluation.costMicroUsd);
        return this.#rules.besideNothing.evaluateMasked(call).evaluation.reasonCode === "not_allowed";
      }
    }
  }

  #usageOf({ agent_id, session_id, session_usage: at }: DecisionRow): ReplayedUsage | null {
    if (session_id === null) return null;
    const seed = at === undefined ? null : { steps: at.steps, costMicroUsd: parseUsd(at.cost_usd) ?? 0 };
    const usage = this.#sessions.usageOf(agent_id, session_id, seed);
    if (usage === null) throw new TooManySessions("more sessions than a proposal can keep");
    return usage;
  }

  #charge(decisionId: string, usage: ReplayedUsage, costMicroUsd: number): void {
    const head = this.#present?.document.head;
    const isOver = head !== undefined && exceededCeilings(head, usage, costMicroUsd).length > 0;
    this.#sessions.charge(decisionId, usage, costMicroUsd);
    if (isOver && !this.#dropsCeilings) this.#dropCeilings();
  }

  #drop(id: string): void {
    this.#dropped.add(id);
    this.#rules = this.#compileRules();
  }

  /** Without ceilings, only rules that read the usage need a session. They go the second time. */
  #dropCeilings(): void {
    if (this.#dropsCeilings)
      for (const { id } of this.#present?.document.rules ?? [])
        if (this.#readsUsage(id)) this.#dropped.add(id);
    this.#dropsCeilings = true;
    this.#rules = this.#compileRules();
  }

  #readsUsage(id: string): boolean {
    const rules = this.#present?.document.rules ?? [];
    return rules.some((rule) => rule.id === id && JSON.stringify(rule.match).includes('"usage"'));
  }

  /** Null when there is no policy. */
  #compileRules(): LeftRules | null {
    if (this.#present === null) return null;
    const { head, rules, rego } = this.#present.document;
    const ceilings = this.#dropsCeilings ? { maxSteps: null, maxCostMicroUsd: null } : {};
    const left = {
      head: { ...head, ...ceilings, failClosed: true, mode: "enforcement" } as const,
      denied: [],
      readOnly: [],
      rules: rules.filter(({ id }) => !this.#dropped.has(id)),
      rego,
    };
    return {
      besideEverything: compileWatched({ ...left, allowed: ["*"] }),
      besideNothing: compileWatched({ ...left, allowed: [] }),
    };
  }
}

/** The rules that are left, beside a list that allows every tool and beside one that allows none. */
interface LeftRules {
  readonly besideEverything: WatchedPolicy;
  readonly besideNothing: WatchedPolicy;
}
