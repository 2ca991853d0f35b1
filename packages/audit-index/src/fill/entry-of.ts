import { foldText } from "../database/fold-text.ts";
import type { Value } from "../database/index-database.ts";
import { DIGEST_COLUMNS, type DigestColumn } from "../database/index-tables.ts";
import { nameDigest } from "../database/name-digest.ts";
import type { RowFacts } from "../read-facts.ts";

/** Kind, decision and would-be decision as one name, so that one index serves all three. */
export function className(kind: string, decision: string | null, wouldBe: string | null): string {
  return kind === "decision" ? `decision/${decision ?? ""}/${wouldBe ?? ""}` : kind;
}

/** What a column of the index is made from. */
function nameIn(facts: RowFacts, column: DigestColumn): string | null {
  switch (column) {
    case "org":
      return "";
    case "class":
      return className(facts.kind, facts.decision, facts.wouldBe);
    case "reason":
      return facts.reason === null ? null : foldText(facts.reason);
    case "agent":
    case "session":
    case "tool":
    case "namespace":
    case "rule":
    case "policy":
    case "principal":
    case "approval":
      return facts[column];
  }
}

/** A row of the table of entries. */
export function entryOf(place: number, at: number, facts: RowFacts): readonly Value[] {
  const digests = DIGEST_COLUMNS.map((column) => {
    const name = nameIn(facts, column);
    return name === null ? null : nameDigest(column, facts.org, name);
  });
  const stop = facts.killSwitch;
  const killSwitch = stop === null ? null : nameDigest("switch", facts.org, stop);
  return [place, at, ...digests, facts.policyVersion, killSwitch];
}

/** A row of the table of reasons; null when the row gives none. */
export function reasonOf(facts: RowFacts): readonly [number, number, string] | null {
  if (facts.reason === null) return null;
  const folded = foldText(facts.reason);
  return [nameDigest("reason", facts.org, folded), nameDigest("org", facts.org, ""), folded];
}
