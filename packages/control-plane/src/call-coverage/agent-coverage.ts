import type { CoveredPart } from "@svc/audit-index/audit-answers";
import type { AgentCoverage } from "@svc/contract/agent-health";
import type { CoverageSettings } from "@svc/contract/coverage-settings";
import { faultFields } from "@svc/contract/fault-fields";
import type { ControlPlanePorts } from "../ports.ts";

/** Milliseconds of calls that are counted together. */
const HOUR_MS = 60 * 60 * 1_000;

interface CoverageQuestion {
  readonly org: string;
  readonly agentId: string;
  readonly settings: CoverageSettings;
}

/** How far reports cover the calls of an agent. Never rejects. Null: it could not be counted now. */
export async function agentCoverage(
  { callCoverage, clock, log }: Pick<ControlPlanePorts, "callCoverage" | "clock" | "log">,
  { org, agentId, settings }: CoverageQuestion,
): Promise<AgentCoverage | null> {
  const nowMs = clock.now().getTime();
  const untilMs = nowMs - settings.outcome_within_seconds * 1_000;
  try {
    const [due, late] = await Promise.all([
      callCoverage.coverage({ org, agentId, sinceMs: untilMs - HOUR_MS, untilMs }),
      callCoverage.coverage({ org, agentId, sinceMs: nowMs - HOUR_MS, untilMs: nowMs }),
    ]);
    const measured = due.parts.filter((part) => isMeasured(part, settings));
    const rest = due.parts.filter((part) => !isMeasured(part, settings));
    const [allows, outcomes] = [sum(measured, "allows"), sum(measured, "reported")];
    return {
      since: new Date(untilMs - HOUR_MS).toISOString(),
      until: new Date(untilMs).toISOString(),
      allows,
      outcomes,
      allows_without_outcome: allows - outcomes,
      unreported_allows: sum(rest, "allows") - sum(rest, "reported"),
      outcomes_without_decision: sum(late.parts, "unallowed"),
      complete: [due, late].every(({ complete, behind }) => complete && behind.length === 0),
    };
  } catch (error) {
    log.warn(faultFields(error), "the reported calls of an agent could not be counted");
    return null;
  }
}

/**
 * Whether missing outcomes mean something. An adapter that cannot see how calls end reports none that ran,
 * and is never suspicious for it.
 */
export function isMeasured({ ran }: CoveredPart, { outcomes_expected }: CoverageSettings): boolean {
  return outcomes_expected || ran > 0;
}

function sum(parts: readonly CoveredPart[], count: "allows" | "reported" | "unallowed"): number {
  return parts.reduce((total, part) => total + part[count], 0);
}
