import type { Observation } from "../observation.ts";
import type { Check } from "./check.ts";

/** Every answer that named a row has it in the log, and an allow has an allow there. */
export function judgeRows(
  subject: string,
  observations: readonly Observation[],
  /** Decision of each row, by decision id. */
  rows: ReadonlyMap<string, string>,
): Check {
  const answered = observations.filter(({ decisionId }) => decisionId !== null);
  const unnamed = observations.filter(
    ({ outcome, decisionId }) => outcome === "allowed" && decisionId === null,
  );
  const lost = answered.filter(({ decisionId, outcome }) => {
    const decision = rows.get(decisionId ?? "");
    return decision === undefined || (outcome === "allowed" && decision !== "allow");
  });
  const figures = { answers: answered.length, rows: rows.size, lost: lost.length + unnamed.length };
  const base = { id: "no_row_lost", subject, gateway: null, figures };
  if (unnamed.length > 0)
    return { ...base, verdict: "failed", detail: `${unnamed.length} allowed calls named no row` };
  const [first] = lost;
  if (first !== undefined)
    return { ...base, verdict: "failed", detail: `the log lacks the row ${String(first.decisionId)}` };
  if (answered.length === 0) return { ...base, verdict: "not_measured", detail: "no answer named a row" };
  return { ...base, verdict: "passed", detail: `the rows of ${answered.length} answers are in the log` };
}
