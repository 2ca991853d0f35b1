import { KeyedDigest } from "@svc/contract/keyed-digest";
import type { ProposedPolicy } from "@svc/contract/policy-proposal";
import { checkDocument, type DocumentText } from "@svc/policy-analysis/check-document";
import { compileWatched, type WatchedPolicy } from "@svc/policy-analysis/compile-watched";
import { Replay } from "@svc/policy-analysis/replay";
import type { ReplayOrder, ReplayReply } from "@svc/policy-analysis/replay-exchange";
import { type PresentPolicy, Survey } from "@svc/policy-analysis/survey";
import { TooManySessions } from "@svc/policy-analysis/too-many-sessions";
import { compileText } from "./compile-text.ts";
import { MergedRows, type ReadRow } from "./merged-rows.ts";
import type { ReplayerOrder } from "./replayer-protocol.ts";

/** Milliseconds of one order. Several replays take turns, and a cancelled one ends soon. */
const ORDER_BUDGET_MS = 100;

/** Rows after which the time is looked at again, as count. */
const ROWS_PER_LOOK = 16;

/** What is done with rows. */
interface RowWork {
  take(row: ReadRow): void;
  /** The result as JSON. */
  result(rowsRemoved: number): string;
}

interface Job {
  readonly rows: MergedRows;
  readonly work: RowWork;
}

/** Carries out the orders of the thread that decides recorded calls again. */
export class Replayer {
  readonly #nowMs: () => number;
  readonly #jobs = new Map<string, Job>();

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  handle(order: ReplayerOrder): ReplayReply {
    switch (order.kind) {
      case "begin":
        return this.#begin(order.order);
      case "rows":
        this.#job(order.id).rows.feed(order.logId, order.page);
        return this.#goOn(order.id);
      case "go_on":
        return this.#goOn(order.id);
      case "drop":
        this.#jobs.delete(order.id);
        return { kind: "refused", reason: "it was dropped" };
      default:
        throw new Error(`unknown order ${JSON.stringify(order satisfies never)}`);
    }
  }

  #begin(order: ReplayOrder): ReplayReply {
    const work = workOf(order);
    if (typeof work === "string") return { kind: "refused", reason: work };
    this.#jobs.set(order.id, { rows: new MergedRows(order.logs), work });
    return this.#goOn(order.id);
  }

  #goOn(id: string): ReplayReply {
    const { rows, work } = this.#job(id);
    const endsAtMs = this.#nowMs() + ORDER_BUDGET_MS;
    try {
      for (let taken = 1; ; taken += 1) {
        const needs = rows.needs();
        if (needs !== null) return { kind: "needs", ...needs, rowsRead: rows.rowsRead };
        const row = rows.take();
        if (row === null) break;
        work.take(row);
        if (taken % ROWS_PER_LOOK === 0 && this.#nowMs() > endsAtMs)
          return { kind: "more", rowsRead: rows.rowsRead };
      }
    } catch (error) {
      this.#jobs.delete(id);
      if (error instanceof TooManySessions) return { kind: "refused", reason: error.message };
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
function workOf(order: ReplayOrder): RowWork | string {
  const { work, org, since, until, digestKey } = order;
  switch (work.kind) {
    case "replay": {
      const candidate = watchedOf(work.candidate);
      if (candidate === null) return "the candidate is not a valid policy document";
      const base = work.base === undefined ? null : watchedOf(work.base);
      if (work.base !== undefined && base === null)
        return "the version to compare with is not a valid policy document";
      const { policyId } = work;
      const agents = work.agents === null ? null : new Set(work.agents);
      const scope = { org, since, until, policyId, agents };
      const replay = new Replay({ candidate, base }, scope, new KeyedDigest(digestKey));
      return {
        take: ({ decisionId, row, text }) => replay.take(decisionId, row, text),
        result: (rowsRemoved) => JSON.stringify(replay.result(rowsRemoved)),
      };
    }
    case "propose": {
      const present = work.present === null ? null : presentOf(work.present);
      const { agentId, namespace, showsArguments } = work;
      const survey = new Survey(present, { org, since, until, agentId, namespace, showsArguments });
      return {
        take: ({ decisionId, row }) => survey.take(decisionId, row),
        result: () => JSON.stringify(checked(survey.result())),
      };
    }
  }
}

function watchedOf(text: DocumentText): WatchedPolicy | null {
  const compiled = compileText(text);
  return compiled.kind === "compiled" ? compileWatched(compiled.explaining.document) : null;
}

function presentOf(text: DocumentText): PresentPolicy {
  const compiled = compileText(text);
  const check = checkDocument(text);
  if (compiled.kind !== "compiled" || check.kind !== "valid")
    throw new Error("the stored version of a policy is not valid");
  return { document: compiled.explaining.document, written: check.document };
}

/** @throws unless the proposed document is valid: a proposal that cannot be loaded is a defect. */
function checked(proposed: ProposedPolicy): ProposedPolicy {
  const check = checkDocument({ source: proposed.document, mediaType: "application/yaml" });
  if (check.kind !== "valid") throw new Error("the proposed document is not valid");
  return proposed;
}
