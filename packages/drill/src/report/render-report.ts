import { tableLines } from "@svc/process/table-lines";
import { type Check, mergeChecks } from "../judge/check.ts";
import type { DrillReport } from "./drill-report.ts";

const WORDS = { passed: "passed", failed: "FAILED", not_measured: "not measured" } as const;

const CLAIMS: Readonly<Record<string, string>> = {
  answers_in_time: "every call is answered in time",
  chain_intact: "the chain is whole and signed",
  cleaned_up: "the drill leaves no switch behind",
  denies_after_lease: "denies after its lease",
  ended_once: "switches end once",
  every_gateway_seen: "every gateway was asked",
  kill_accepted: "a kill is accepted",
  named_unverified: "is named as unverified",
  no_call_after_kill: "no call goes on after a kill",
  no_row_lost: "no acknowledged row is lost",
  propagation: "a kill arrives in time",
  reported: "enforcement is reported in time",
  serves_again: "serves again within 5 s",
  service_kept: "the others go on",
  takeover: "another process takes over within 5 s",
};

/** One line for each claim and subject, over all gateways: the worst of them. */
export function renderReport(report: DrillReport): string {
  const checks = mergeChecks(report.checks, "over_gateways");
  const rows = checks.map((check) => [
    WORDS[check.verdict],
    check.subject,
    CLAIMS[check.id] ?? check.id,
    figuresOf(check),
  ]);
  const lines = tableLines(["verdict", "when", "claim", "measured"], rows);
  const faults = checks.filter(({ verdict }) => verdict !== "passed").map(faultLine);
  const early = report.ended_early === null ? [] : [`ended early: ${report.ended_early}`];
  return `${[...lines, ...faults, ...early, busyLine(report), summaryLine(report)].join("\n")}\n`;
}

function figuresOf({ figures }: Check): string {
  const shown = Object.entries(figures).filter(([, value]) => value !== null);
  return shown.map(([name, value]) => `${name.replaceAll("_", " ")} ${String(value)}`).join(", ");
}

function faultLine({ subject, verdict, detail }: Check): string {
  return `${WORDS[verdict]}: ${subject}: ${detail}`;
}

/** Times of a machine that does other work say little about the cluster. */
function busyLine({ measured_by: { cores, load_average } }: DrillReport): string {
  return `measured on a machine with ${String(cores)} cores and a load average of ${String(load_average)}`;
}

function summaryLine({ drill, verdict, subject, duration_ms, checks }: DrillReport): string {
  const seconds = (duration_ms / 1_000).toFixed(1);
  const passed = checks.filter((check) => check.verdict === "passed").length;
  const count = `${String(passed)} of ${String(checks.length)} checks passed`;
  return `drill ${drill}: ${WORDS[verdict]}, ${count}, ${subject.description}, ${seconds} s`;
}
