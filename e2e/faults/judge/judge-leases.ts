import type { Fault, Finding, Judgement, Trace } from "./trace.ts";

/** Milliseconds for which a gateway may decide by what it read last, from docs/ARCHITECTURE.md. */
const LEASE_MS = 1_500;

/** No gateway that was cut off from the database for longer than its lease allows a call. */
export function judgeLeases({ calls, faults }: Trace): Judgement {
  const findings: Finding[] = [];
  let judged = 0;
  const isolating = faults.filter(
    ({ isolates, inForceMs, liftedMs }) => isolates && liftedMs - inForceMs > LEASE_MS,
  );
  for (const call of calls) {
    if (call.answeredMs === null) continue;
    const { gateway, sentMs, answeredMs } = call;
    const fault = isolating.find((each) => strikes(each, gateway) && covers(each, sentMs, answeredMs));
    if (fault === undefined) continue;
    judged += 1;
    if (call.decision !== "allow") continue;
    const sinceMs = (sentMs - fault.inForceMs).toFixed(1);
    findings.push({
      rule: "allow after the end of the lease",
      detail: `${gateway} allowed call ${String(call.order)}, sent ${sinceMs} ms after ${fault.kind}`,
    });
  }
  return { findings, judged: { "answers after the end of a lease": judged } };
}

function strikes({ target }: Fault, gateway: string): boolean {
  return target === "database" || target === gateway;
}

function covers({ inForceMs, liftedMs }: Fault, sentMs: number, answeredMs: number): boolean {
  return sentMs > inForceMs + LEASE_MS && answeredMs < liftedMs;
}
