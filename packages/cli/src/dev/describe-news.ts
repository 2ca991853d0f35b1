import { renderFindings } from "@svc/policy-analysis/render-findings";
import type { Emphasis, Piece } from "../frame/text.ts";
import type { DecisionNews } from "./decision-news.ts";
import type { PolicyInForce, PolicyNews } from "./policy-news.ts";

/** Longest reason on a line, in characters. */
const REASON_LENGTH = 160;

/** One decision on a line: time, decision, agent, tool, rule, reason, session, id, milliseconds. */
export function describeDecision(news: DecisionNews): readonly Piece[] {
  switch (news.event) {
    case "gap":
      return [
        { text: "gap      ", as: "warning" },
        `decisions between ${news.after} and ${news.until} are not shown (${news.reason})\n`,
      ];
    case "decision_withdrawn":
      return [
        `${clock(news.time)}  `,
        { text: "withdrawn", as: "bad" },
        `  ${news.decision_id}: the call was denied after its row was written\n`,
      ];
    case "decision":
      return decisionLine(news);
    default:
      return news satisfies never;
  }
}

const DECISION_EMPHASIS: Readonly<Record<"allow" | "deny" | "pause", Emphasis>> = {
  allow: "good",
  deny: "bad",
  pause: "warning",
};

function decisionLine(news: Extract<DecisionNews, { event: "decision" }>): readonly Piece[] {
  const { time, decision, agent_id, session_id, tool, rule_id, reason, would_be, ms, decision_id: id } = news;
  const why = would_be === null ? reason : `would be ${would_be.decision}: ${would_be.reason}`;
  const rule = rule_id === null ? [] : [`[${rule_id}]`];
  const shown = why === null ? [] : [why.replaceAll(/\s+/g, " ").slice(0, REASON_LENGTH)];
  return [
    `${clock(time)}  `,
    { text: decision.padEnd(5), as: DECISION_EMPHASIS[decision] },
    `  ${[agent_id, tool, ...rule, ...shown].map((cell) => cell.replaceAll("\n", " ")).join("  ")}  `,
    { text: `${[session_id ?? "no session", id].join("  ")}  ${ms.toFixed(1)} ms\n`, as: "dim" },
  ];
}

/** What became of a policy file. Findings are shown as `svc-cli validate` shows them. */
export function describePolicy(news: PolicyNews): readonly Piece[] {
  const { file } = news;
  switch (news.event) {
    case "policy_loaded": {
      const { policy_id, version, agent_id, warnings } = news;
      const governs = agent_id === null ? "names no agent, so it governs no call" : `governs ${agent_id}`;
      const findings = warnings.length === 0 ? "" : renderFindings(warnings, "").slice(0, -1);
      const what = `policy ${policy_id} version ${String(version)} ${governs}`;
      return [findings, `${file}: `, { text: "in force", as: "good" }, `, ${what}\n`];
    }
    case "policy_refused":
      return [
        renderFindings(news.diagnostics, "").slice(0, -1),
        `${file}: `,
        { text: "refused", as: "bad" },
        `; ${stillInForce(news.in_force)}\n`,
      ];
    case "policy_not_taken":
      return [
        `${file}: `,
        { text: "not taken", as: "bad" },
        `: ${news.reason}; ${stillInForce(news.in_force)}\n`,
      ];
    case "policy_removed":
      return [
        `${file}: `,
        { text: "removed", as: "warning" },
        `, so policy ${news.policy_id} is disabled and governs nobody\n`,
      ];
    default:
      return news satisfies never;
  }
}

function stillInForce(inForce: PolicyInForce | null): string {
  if (inForce === null) return "nothing of it is in force";
  return `policy ${inForce.policy_id} version ${String(inForce.version)} stays in force`;
}

function clock(time: string): string {
  return time.slice(11, 19);
}
