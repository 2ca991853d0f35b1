import { parseJson } from "@svc/text/parse-json";
import { z } from "zod";
import type { ServerEvent } from "../connection/read-events.ts";

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
export type DecisionNews =
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
