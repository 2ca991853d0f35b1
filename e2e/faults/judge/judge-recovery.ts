import type { Fault, Finding, Judgement, Trace } from "./trace.ts";

/** How long one gateway took to allow again after one fault. */
export interface Recovery {
  readonly kind: string;
  readonly gateway: string;
  readonly tookMs: number;
}

export interface RecoveryJudgement extends Judgement {
  readonly recoveries: readonly Recovery[];
}

/**
 * After each fault, each gateway that it struck allows a call of the steady agent in time. A fault that is
 * followed by another one of the same gateway before that is judged by the later one.
 */
export function judgeRecovery(trace: Trace, withinMs: number): RecoveryJudgement {
  const { faults, gateways, steadyAgent } = trace;
  const recoveries: Recovery[] = [];
  const findings: Finding[] = [];
  for (const gateway of gateways) {
    const allows = trace.calls
      .filter((call) => call.gateway === gateway && call.agent === steadyAgent && call.decision === "allow")
      .map(({ sentMs, answeredMs }) => ({ sentMs, answeredMs: answeredMs ?? Number.POSITIVE_INFINITY }))
      .toSorted((a, b) => a.answeredMs - b.answeredMs);
    const own = faults.filter(({ target }) => target === gateway || target === "database");
    for (const fault of own) {
      const nextMs = nextFault(fault, own);
      const first =
        allows.find(({ sentMs }) => sentMs > fault.endedMs)?.answeredMs ?? Number.POSITIVE_INFINITY;
      if (first > nextMs && nextMs < fault.endedMs + withinMs) continue;
      const tookMs = first - fault.endedMs;
      recoveries.push({ kind: fault.kind, gateway, tookMs });
      if (tookMs > withinMs) findings.push(late(fault, gateway, tookMs));
    }
  }
  return { findings, judged: { recoveries: recoveries.length }, recoveries };
}

/** When the next fault of the same gateway begins; before the end of this one when they overlap. */
function nextFault(fault: Fault, own: readonly Fault[]): number {
  const later = own.filter((other) => other !== fault && other.endedMs >= fault.endedMs);
  return Math.min(Number.POSITIVE_INFINITY, ...later.map(({ beganMs }) => beganMs));
}

function late({ kind, endedMs }: Fault, gateway: string, tookMs: number): Finding {
  const detail = `${gateway}: ${tookMs.toFixed(0)} ms after ${kind} that ended at ${endedMs.toFixed(0)} ms`;
  return { rule: "late recovery", detail };
}
