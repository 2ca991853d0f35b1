/** Worst first. A check that could not measure is not a pass. */
export const CHECK_VERDICTS = ["failed", "not_measured", "passed"] as const;
export type CheckVerdict = (typeof CHECK_VERDICTS)[number];

/** What a check found, in milliseconds or as a count, by name. Null where nothing was measured. */
export type Figures = Readonly<Record<string, number | null>>;

/** One claim about the cluster, and what the drill measured of it. */
export interface Check {
  /** The claim, stable over versions: `no_call_after_kill`. */
  readonly id: string;
  /** What it is about: a scope, a fault. */
  readonly subject: string;
  /** The gateway that it is about; null when it is about all of them. */
  readonly gateway: string | null;
  readonly verdict: CheckVerdict;
  readonly figures: Figures;
  /** One sentence: what was expected, what came. */
  readonly detail: string;
}

/** The verdict of a drill: its worst check. A drill without a check has measured nothing. */
export function worstVerdict(checks: readonly Pick<Check, "verdict">[]): CheckVerdict {
  return (
    CHECK_VERDICTS.find((candidate) => checks.some(({ verdict }) => verdict === candidate)) ?? "not_measured"
  );
}

/**
 * One check for each claim, subject and gateway, in the order in which they came first: the worst verdict
 * with its sentence, and the largest of each figure. `over_gateways` makes one of those of all gateways.
 */
export function mergeChecks(checks: readonly Check[], over?: "over_gateways"): readonly Check[] {
  const merged = new Map<string, Check>();
  for (const check of checks) {
    const place = JSON.stringify([check.id, check.subject, over === undefined ? check.gateway : null]);
    const before = merged.get(place);
    merged.set(place, before === undefined ? check : mergeTwo(before, check));
  }
  return [...merged.values()];
}

function mergeTwo(left: Check, right: Check): Check {
  const worse = CHECK_VERDICTS.indexOf(right.verdict) < CHECK_VERDICTS.indexOf(left.verdict) ? right : left;
  const names = new Set([...Object.keys(left.figures), ...Object.keys(right.figures)]);
  const figures = Object.fromEntries(
    [...names].map((name) => [name, largest(left.figures[name], right.figures[name])]),
  );
  return { ...worse, figures };
}

function largest(left: number | null = null, right: number | null = null): number | null {
  if (left === null || right === null) return left ?? right;
  return Math.max(left, right);
}
