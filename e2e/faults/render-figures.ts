import { loadavg } from "node:os";
import type { CampaignResult } from "./campaign.ts";
import type { Recovery, RecoveryJudgement } from "./judge/judge-recovery.ts";

/** The figures of a run as Markdown, as docs/RELIABILITY.md shows them. */
export function renderFigures(result: CampaignResult, judgement: RecoveryJudgement): string {
  const { trace, seconds, activationsAsked, callsNotSent } = result;
  const answered = trace.calls.filter(({ answeredMs }) => answeredMs !== null);
  const allowed = answered.filter(({ decision }) => decision === "allow");
  const enforced = trace.kills.filter(({ isEnforced }) => isEnforced);
  const faults = Object.entries(Object.groupBy(trace.faults, ({ kind }) => kind));
  const facts: readonly (readonly [string, number])[] = [
    ["seconds", Math.round(seconds)],
    ["load average of the machine at the end", Math.round((loadavg()[0] ?? 0) * 10) / 10],
    ["calls sent", trace.calls.length],
    ["calls not sent, because their gateway was away or had too many", callsNotSent],
    ["calls answered", answered.length],
    ["calls allowed", allowed.length],
    ["activations asked for", activationsAsked],
    ["activations answered", trace.kills.length],
    ["activations answered as enforced", enforced.length],
    ...faults.map(([kind, each]) => [`faults: ${kind}`, each?.length ?? 0] as const),
    ...Object.entries(judgement.judged).map(([name, count]) => [`judged: ${name}`, count] as const),
    ["broken promises", judgement.findings.length],
  ];
  return [
    "| Figure | Value |",
    "|---|---|",
    ...facts.map(([name, value]) => `| ${name} | ${value.toLocaleString("en-US")} |`),
    "",
    "| Back after | times | p50 ms | p99 ms | most ms |",
    "|---|---|---|---|---|",
    ...Object.entries(Object.groupBy(judgement.recoveries, ({ kind }) => kind)).map(renderRecoveries),
  ].join("\n");
}

function renderRecoveries([kind, recoveries = []]: [string, Recovery[] | undefined]): string {
  const sorted = recoveries.map(({ tookMs }) => tookMs).toSorted((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.ceil(sorted.length * share) - 1] ?? 0);
  const cells = [kind, sorted.length, at(0.5), at(0.99), at(1)];
  return `| ${cells.join(" | ")} |`;
}
