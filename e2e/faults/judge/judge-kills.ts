import type { Call, Finding, Judgement, Kill, Release, Trace } from "./trace.ts";

/** No gateway allows a call that was sent after an activation was answered, from when the answer says so. */
export function judgeKills({ calls, kills, releases, gateways }: Trace): Judgement {
  const findings: Finding[] = [];
  let judged = 0;
  const callsOf = Map.groupBy(calls, ({ agent, gateway }) => `${agent} ${gateway}`);
  for (const kill of kills) {
    const endMs = releasedAt(kill, releases);
    for (const gateway of gateways) {
      const fromMs = enforcedFrom(kill, gateway);
      for (const call of callsOf.get(`${kill.agent} ${gateway}`) ?? []) {
        if (call.answeredMs === null || call.sentMs <= fromMs || call.answeredMs >= endMs) continue;
        judged += 1;
        if (call.decision === "allow") findings.push(allowed(call, kill, fromMs));
      }
    }
  }
  return { findings, judged: { "answers while a switch had to be enforced": judged } };
}

/** A gateway that a list leaves out has to deny: it had ended, or it reads the switch at its start. */
function enforcedFrom({ answeredMs, isEnforced, gateways, leaseEndsMs }: Kill, gateway: string): number {
  if (gateways.length === 0 && leaseEndsMs !== null) return Math.max(answeredMs, leaseEndsMs);
  const answered = gateways.find(({ id }) => id === gateway);
  if (isEnforced || answered === undefined || answered.isAcknowledged) return answeredMs;
  return Math.max(answeredMs, answered.leaseEndsMs ?? Number.POSITIVE_INFINITY);
}

/** The first moment at which a deactivation of the switch may have taken effect. */
function releasedAt({ switchId, askedMs }: Kill, releases: readonly Release[]): number {
  const times = releases
    .filter((release) => release.switchId === switchId)
    .filter(({ answeredMs }) => answeredMs === null || answeredMs > askedMs)
    .map((release) => release.askedMs);
  return Math.min(Number.POSITIVE_INFINITY, ...times);
}

function allowed({ order, gateway, sentMs }: Call, { switchId }: Kill, fromMs: number): Finding {
  const lateMs = (sentMs - fromMs).toFixed(1);
  const detail = `${gateway} allowed call ${String(order)}, sent ${lateMs} ms after ${switchId} held`;
  return { rule: "allow after an acknowledged kill", detail };
}
