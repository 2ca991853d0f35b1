import type { RowMembers } from "@svc/contract/audit-answer";
import { listValues } from "@svc/contract/list-values";
import type { SelectionOptions } from "./audit-selection.ts";

/** Decisions that are remembered for the reports about them, as count. */
const MAX_REMEMBERED = 10_000;

/** Reads the members of the row of a decision. */
type ReadRow = (id: string) => Promise<RowMembers>;

/**
 * Chooses rows of the event stream by session and tool as a list of rows does: decisions, reports about them,
 * and kill switches on them.
 */
export class RowChoice {
  readonly #sessions: ReadonlySet<string> | null;
  readonly #tools: ReadonlySet<string> | null;
  readonly #readRow: ReadRow;
  readonly #decisions = new Map<string, boolean>();

  constructor({ session, tool }: Pick<SelectionOptions, "session" | "tool">, readRow: ReadRow) {
    this.#sessions = setOf(session);
    this.#tools = setOf(tool);
    this.#readRow = readRow;
  }

  async takes(id: string, row: RowMembers): Promise<boolean> {
    if (this.#sessions === null && this.#tools === null) return true;
    const { kind, decision_id: decisionId } = row;
    if (kind === "outcome") return typeof decisionId === "string" && this.#takesDecision(decisionId);
    const isTaken =
      isIn(this.#sessions, row["session_id"] ?? targetOf(row, "session")) &&
      isIn(this.#tools, row["tool"] ?? targetOf(row, "tool"));
    if (kind === "decision") this.#remember(id, isTaken);
    return isTaken;
  }

  async #takesDecision(id: string): Promise<boolean> {
    const known = this.#decisions.get(id);
    return known ?? this.takes(id, await this.#readRow(id));
  }

  #remember(id: string, isTaken: boolean): void {
    this.#decisions.set(id, isTaken);
    if (this.#decisions.size <= MAX_REMEMBERED) return;
    const [oldest = ""] = this.#decisions.keys();
    this.#decisions.delete(oldest);
  }
}

/** The target of a kill switch of this scope. */
function targetOf(row: RowMembers, scope: string): unknown {
  return row["kind"] === "kill_switch" && row["scope"] === scope ? row["target_id"] : null;
}

function setOf(list: string | undefined): ReadonlySet<string> | null {
  return list === undefined ? null : new Set(listValues(list));
}

function isIn(wanted: ReadonlySet<string> | null, value: unknown): boolean {
  return wanted === null || (typeof value === "string" && wanted.has(value));
}
