import { renderFindings } from "@svc/policy-analysis/render-findings";
import { parseJson } from "@svc/text/parse-json";
import { z } from "zod";
import type { ServerEvent } from "../connection/follow-events.ts";
import type { Emphasis, Piece } from "../frame/text.ts";
import type { PolicyInForce, PolicyNews } from "./policy-news.ts";

const decisionSchema = z.object({
  id: z.string(),
  row: z.object({
    kind: z.literal("decision"),
    time: z.string(),
    decision: z.enum(["allow", "deny", "pause"]),
    agent_id: z.string(),
    session_id: z.string().nullable(),
    tool: z.string(),
    rule_id: z.string().nullable(),
    policy_id: z.string().nullable(),
    policy_version: z.number().nullable(),
    reason: z.string().nullable(),
    reason_code: z.string().nullable(),
    would_be: z.object({ decision: z.string(), reason: z.string() }).nullable(),
    latency_us: z.number(),
  }),
});

const withdrawalSchema = z.object({
  row: z.object({
    kind: z.literal("outcome"),
    time: z.string(),
    decision_id: z.string(),
    withdrawn: z.literal(true),
  }),
});

const gapSchema = z.object({ reason: z.string(), after: z.string(), until: z.string() });

type DecisionRow = z.output<typeof decisionSchema>["row"];

/** What the event stream says of decisions. */
type DecisionNews =
  | (Readonly<Omit<DecisionRow, "kind" | "latency_us">> & {
      readonly event: "decision";
      readonly decision_id: string;
      /** Milliseconds from the call to its row. */
      readonly ms: number;
    })
  /** The gateway denied the call after its row was written: nobody got the decision. */
  | { readonly event: "decision_withdrawn"; readonly time: string; readonly decision_id: string }
  /** Decisions that are not shown. */
  | ({ readonly event: "gap" } & Readonly<z.output<typeof gapSchema>>);

/** Null: the event is not about a decision. */
export function decisionNews({ name, data }: ServerEvent): DecisionNews | null {
  const value: unknown = parseJson(data);
  if (name === "gap") return { event: "gap", ...gapSchema.parse(value) };
  if (name === "decision") {
    const { id, row } = decisionSchema.parse(value);
    const { kind: _, latency_us, ...rest } = row;
    return { event: "decision", decision_id: id, ...rest, ms: latency_us / 1_000 };
  }
  const withdrawal = withdrawalSchema.safeParse(value);
  if (!withdrawal.success) return null;
  const { time, decision_id } = withdrawal.data.row;
  return { event: "decision_withdrawn", time, decision_id };
}

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
