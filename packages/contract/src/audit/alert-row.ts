import type { JsonObject } from "@svc/text/json-value";
import type { AlertRecord } from "../alerts/alert.ts";

/** An alert that was opened, acknowledged or resolved, or that is about more or less than before. */
export interface AlertRow
  extends Pick<AlertRecord, "condition" | "severity" | "subject" | "agent_id" | "summary" | "note"> {
  readonly v: 1;
  readonly kind: "alert";
  /** RFC 3339 UTC with milliseconds. */
  readonly time: string;
  readonly org: string;
  /** Who acknowledged it, else the part of the server that watches conditions. */
  readonly principal: string;
  readonly action: "opened" | "changed" | "acknowledged" | "resolved";
  readonly alert_id: string;
  /** Ids and counts, as the last look at the condition found them. */
  readonly details: JsonObject;
  /** RFC 3339 UTC. */
  readonly opened_at: string;
}
