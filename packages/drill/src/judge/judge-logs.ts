import type { LogReport } from "@svc/audit-log/log-report";
import type { Check } from "./check.ts";

/** The chains of all gateways are whole, and a signature covers them. */
export function judgeChains(reports: readonly LogReport[], gateways: readonly string[]): readonly Check[] {
  return gateways.map((gateway) => {
    const report = reports.find(({ logId }) => logId === gateway);
    const base = { id: "chain_intact", subject: "the log", gateway };
    if (report === undefined)
      return { ...base, verdict: "failed", figures: { rows: 0 }, detail: `there is no log of ${gateway}` };
    const { rows, signedRows, verdict } = report;
    const figures = { rows, signed_rows: signedRows };
    const detail = `the log of ${gateway} is ${verdict.replace("_", " ")}`;
    if (verdict === "broken") return { ...base, verdict: "failed", figures, detail };
    return { ...base, verdict: verdict === "intact" ? "passed" : "not_measured", figures, detail };
  });
}

/** Each switch that ended by time has one row that says so. */
export function judgeExpiries(ids: readonly string[], expiries: ReadonlyMap<string, number>): Check {
  const counts = ids.map((id) => expiries.get(id) ?? 0);
  const base = { id: "ended_once", subject: "switches with an end", gateway: null };
  const figures = {
    switches: ids.length,
    most_rows: Math.max(0, ...counts),
    fewest_rows: Math.min(...counts),
  };
  if (ids.length === 0)
    return { ...base, verdict: "not_measured", figures: { switches: 0 }, detail: "no switch ended by time" };
  const isOnce = counts.every((count) => count === 1);
  const detail = `${counts.filter((count) => count === 1).length} of ${ids.length} switches ended once`;
  return { ...base, verdict: isOnce ? "passed" : "failed", figures, detail };
}
