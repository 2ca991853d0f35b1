import type { ProposedPolicy } from "@svc/contract/policy-proposal";
import type { EvaluatorFactory } from "@svc/engine/evaluator-factory";
import { checkDocument, type DocumentText } from "@svc/policy-analysis/check-document";
import { compileWatched, type WatchedPolicy } from "@svc/policy-analysis/compile-watched";
import { ModuleFailed } from "@svc/policy-analysis/module-failed";
import { Replay } from "@svc/policy-analysis/replay";
import type { ReplayOrder, ReplayReply, RowPage } from "@svc/policy-analysis/replay-exchange";
import { type PresentPolicy, Survey } from "@svc/policy-analysis/survey";
import { TooManySessions } from "@svc/policy-analysis/too-many-sessions";
import { KeyedDigest } from "@svc/text/keyed-digest";
import { compileText, whyRefused } from "./compile-text.ts";
import { MergedRows, type ReadRow } from "./merged-rows.ts";

/** Milliseconds of one call. Several replays take turns, and a cancelled one ends soon. */
const CALL_BUDGET_MS = 100;

/** Rows after which the time is looked at again, as count. */
const ROWS_PER_LOOK = 16;

/** What is done with rows. */
interface RowWork {
  /** The work may wait for a module. */
  take(row: ReadRow): void | Promise<void>;
  /** The result as JSON. */
  result(rowsRemoved: number): string;
}

interface Job {
  readonly rows: MergedRows;
  readonly work: RowWork;
}

/** Decides recorded calls again, several replays in turns. */
export class Replayer {
  readonly #nowMs: () => number;
  readonly #evaluators: EvaluatorFactory | null;
  readonly #jobs = new Map<string, Job>();

  /** @param evaluators as `compileText` takes them */
  constructor(nowMs: () => number, evaluators: EvaluatorFactory | null) {
    this.#nowMs = nowMs;
    this.#evaluators = evaluators;
  }

  async begin(order: ReplayOrder): Promise<ReplayReply> {
    const work = await workOf(order, this.#evaluators);
    if (typeof work === "string") return { kind: "refused", reason: work };
    this.#jobs.set(order.id, { rows: new MergedRows(order.logs), work });
    return this.goOn(order.id);
  }

  /** Takes the rows that were needed. */
  rows(id: string, logId: string, page: RowPage): Promise<ReplayReply> {
    this.#job(id).rows.feed(logId, page);
    return this.goOn(id);
  }

  /** Forgets the work. */
  drop(id: string): void {
    this.#jobs.delete(id);
  }

  /** Goes on after the time of a call was over. */
  async goOn(id: string): Promise<ReplayReply> {
    const { rows, work } = this.#job(id);
    const endsAtMs = this.#nowMs() + CALL_BUDGET_MS;
    try {
      for (let taken = 1; ; taken += 1) {
        const needs = rows.needs();
        if (needs !== null) return { kind: "needs", ...needs, rowsRead: rows.rowsRead };
        const row = rows.take();
        if (row === null) break;
        const waits = work.take(row);
        if (waits !== undefined) await waits;
        if (taken % ROWS_PER_LOOK === 0 && this.#nowMs() > endsAtMs)
          return { kind: "more", rowsRead: rows.rowsRead };
      }
    } catch (error) {
      this.#jobs.delete(id);
      if (error instanceof TooManySessions || error instanceof ModuleFailed)
        return { kind: "refused", reason: error.message };
      throw error;
    }
    this.#jobs.delete(id);
    return { kind: "done", text: work.result(rows.rowsRemoved) };
  }

  #job(id: string): Job {
    const job = this.#jobs.get(id);
    if (job === undefined) throw new Error(`the thread does not know the work ${id}`);
    return job;
  }
}

/** A text says why the work cannot be done. */
async function workOf(order: ReplayOrder, evaluators: EvaluatorFactory | null): Promise<RowWork | string> {
  const { work, org, since, until, digestKey } = order;
  switch (work.kind) {
    case "replay": {
      const candidate = await watchedOf(work.candidate, evaluators);
      if (typeof candidate === "string") return `the candidate is not a valid policy document: ${candidate}`;
      const base = work.base === undefined ? null : await watchedOf(work.base, evaluators);
      if (typeof base === "string")
        return `the version to compare with is not a valid policy document: ${base}`;
      const { policyId } = work;
      const agents = work.agents === null ? null : new Set(work.agents);
      const scope = { org, since, until, policyId, agents };
      const replay = new Replay({ candidate, base }, scope, new KeyedDigest(digestKey));
      return {
        take: ({ decisionId, row, text }) => {
          if (!replay.hasModules) return replay.take(decisionId, row, text);
          return replay.ask(row).then((said) => replay.take(decisionId, row, text, said));
        },
        result: (rowsRemoved) => JSON.stringify(replay.result(rowsRemoved)),
      };
    }
    case "propose": {
      const present = work.present === null ? null : await presentOf(work.present);
      if (typeof present === "string") return present;
      const { agentId, namespace, showsArguments } = work;
      const survey = new Survey(present, { org, since, until, agentId, namespace, showsArguments });
      return {
        take: ({ decisionId, row }) => survey.take(decisionId, row),
        result: () => JSON.stringify(checked(survey.result(), work.present?.guardrails)),
      };
    }
  }
}

/** A text says why the document is refused. */
async function watchedOf(
  text: DocumentText,
  evaluators: EvaluatorFactory | null,
): Promise<WatchedPolicy | string> {
  const compiled = await compileText(text, evaluators);
  if (compiled.kind !== "compiled") return whyRefused(compiled);
  return compileWatched(compiled.explaining.document, compiled.evaluators);
}

/** A proposal tries the rules alone, so a policy with a module is refused by name. */
async function presentOf(text: DocumentText): Promise<PresentPolicy | string> {
  const compiled = await compileText(text, null);
  if (compiled.kind !== "compiled") return whyRefused(compiled);
  const check = checkDocument(text);
  if (check.kind !== "valid") throw new Error("a document that was compiled is valid");
  return { document: compiled.explaining.document, written: check.document };
}

/** @throws unless the proposed document is valid: a proposal that cannot be loaded is a defect. */
function checked(proposed: ProposedPolicy, guardrails: DocumentText["guardrails"]): ProposedPolicy {
  const check = checkDocument({ source: proposed.document, mediaType: "application/yaml", guardrails });
  if (check.kind !== "valid") throw new Error("the proposed document is not valid");
  return proposed;
}
