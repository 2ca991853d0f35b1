import type { JsonObject, JsonValue } from "@svc/text/json-value";
import { z } from "zod";
import { pageSchema } from "../fields/page.ts";
import { nearestField, parseWith } from "../fields/parse-with.ts";
import type { Parsed } from "../fields/parsed.ts";
import { sentenceSchema } from "../fields/sentence-schema.ts";
import { timestampSchema } from "../fields/timestamp.ts";

/** What alerts are about: closed list, stable, for machines. `docs/RUNBOOK.md` has a section for each. */
export const ALERT_CONDITIONS = [
  "agent_severity",
  "agent_anomaly",
  "policy_violations",
  "policy_unloadable",
  "deliveries_late",
  "dead_letters",
  "webhook_disabled",
  // Of the whole server: alerts of the first organization.
  "fail_closed",
  "checkpoint_failing",
  "gateway_silent",
  "index_late",
  "disk_low",
] as const;
export type AlertCondition = (typeof ALERT_CONDITIONS)[number];

/** Where an alert stands. */
export const ALERT_STATUSES = ["open", "acknowledged", "resolved"] as const;
export type AlertStatus = (typeof ALERT_STATUSES)[number];

/** `critical` is worth waking somebody; `warning` waits for working hours. */
export const ALERT_SEVERITIES = ["critical", "warning"] as const;

const alertSeveritySchema = z
  .enum(ALERT_SEVERITIES)
  .meta({ id: "AlertSeverity", description: "critical: worth waking somebody. warning: it can wait." });

export const alertStatusSchema = z
  .enum(ALERT_STATUSES, { error: `expected one of ${ALERT_STATUSES.join(", ")}` })
  .meta({ id: "AlertStatus" });

export const alertSchema = z
  .strictObject({
    id: z.string(),
    condition: z.enum(ALERT_CONDITIONS).meta({ id: "AlertCondition" }),
    severity: alertSeveritySchema,
    status: alertStatusSchema,
    subject: z
      .string()
      .describe("What it is about, such as an agent or a gateway. At most one alert of it is not resolved."),
    agent_id: z.string().nullable().describe("Null: it is not about an agent."),
    summary: z
      .string()
      .describe("One sentence for people. It changes with the condition, at most once a minute."),
    details: z.custom<JsonObject>().meta({
      jsonSchema: { type: "object" },
      description: "Ids and counts, as of the same look. A severity that changes is shown at once.",
    }),
    opened_at: timestampSchema,
    acknowledged_at: timestampSchema.nullable().describe("Null: nobody has acknowledged it."),
    acknowledged_by: z.string().nullable().describe("Id of the key or person; null: nobody."),
    note: z.string().nullable().describe("What was said when it was acknowledged."),
    resolved_at: timestampSchema.nullable().describe("Null while the condition lasts."),
  })
  .meta({ id: "Alert", description: "A condition that somebody has to look at, and where it stands." });

export type AlertRecord = Readonly<z.infer<typeof alertSchema>>;

export const alertPageSchema = pageSchema("alerts", alertSchema).meta({
  id: "AlertPage",
  description: "A page of alerts, newest first.",
});

/** Body of `POST alerts/{id}/acknowledge`. */
export const alertAcknowledgementSchema = z
  .strictObject({
    note: sentenceSchema("a note").nullable().default(null).describe("For those who look at it later."),
  })
  .meta({ id: "AlertAcknowledgement", description: "Says that somebody looks at the alert." });

export type AlertAcknowledgement = Readonly<z.output<typeof alertAcknowledgementSchema>>;

export function parseAlertAcknowledgement(value: JsonValue): Parsed<AlertAcknowledgement> {
  return parseWith(alertAcknowledgementSchema, value, nearestField(["note"]));
}
