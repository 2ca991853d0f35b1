import type { AuditFilter } from "@svc/contract/audit-query";
import { DECISIONS } from "@svc/contract/verdict";
import { foldText } from "../database/fold-text.ts";
import type { DigestColumn } from "../database/index-tables.ts";
import { nameDigest } from "../database/name-digest.ts";
import { className } from "../fill/entry-of.ts";
import type { RowFacts } from "../read-facts.ts";

/** One filter as the index sees it: the column holds one of the values. */
export interface ColumnFilter {
  readonly column: DigestColumn;
  readonly values: readonly number[];
}

const NAMED = [
  ["agent", "agents"],
  ["session", "sessions"],
  ["tool", "tools"],
  ["namespace", "namespaces"],
  ["rule", "rules"],
  ["policy", "policies"],
  ["principal", "principals"],
  ["approval", "approvals"],
] as const;

/** The filters of a search by column. The text of a reason is not among them. */
export function columnFilters(org: string, filter: AuditFilter): readonly ColumnFilter[] {
  const named = NAMED.filter(([, list]) => filter[list].length > 0).map(
    ([column, list]): ColumnFilter => ({
      column,
      values: filter[list].map((name) => nameDigest(column, org, name)),
    }),
  );
  const classes = classNames(filter);
  if (classes === null) return named;
  return [...named, { column: "class", values: classes.map((name) => nameDigest("class", org, name)) }];
}

/** The classes that kind, decision and would-be decision let pass; null when they let all pass. */
function classNames({ kinds, decisions, wouldBe }: AuditFilter): readonly string[] | null {
  if (kinds.length + decisions.length + wouldBe.length === 0) return null;
  const onlyDecisions = decisions.length + wouldBe.length > 0;
  if (onlyDecisions && kinds.length > 0 && !kinds.includes("decision")) return [];
  const found = onlyDecisions ? [] : kinds.filter((kind) => kind !== "decision");
  if (kinds.length > 0 && !kinds.includes("decision")) return found;
  const shown = decisions.length > 0 ? decisions : DECISIONS;
  const would = wouldBe.length > 0 ? wouldBe : [null, ...DECISIONS];
  return [...found, ...shown.flatMap((one) => would.map((other) => className("decision", one, other)))];
}

/**
 * Whether a row is what was asked for, by its own bytes. The index only says where to look: digests of
 * different names can be equal, and a damaged index can name any row.
 */
export function matchesFilter(facts: RowFacts, filter: AuditFilter): boolean {
  const { kinds, decisions, wouldBe, text } = filter;
  return (
    NAMED.every(([column, list]) => has(filter[list], facts[column])) &&
    has(kinds, facts.kind) &&
    has(decisions, facts.decision) &&
    has(wouldBe, facts.wouldBe) &&
    (text === null || foldText(facts.reason ?? "").includes(foldText(text)))
  );
}

function has(wanted: readonly string[], found: string | null): boolean {
  return wanted.length === 0 || (found !== null && wanted.includes(found));
}
