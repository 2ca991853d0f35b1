import type { JsonObject } from "@svc/text/json-value";
import { agentKinds } from "./kinds/agent-kinds.ts";
import { alertKinds } from "./kinds/alert-kinds.ts";
import { callKinds } from "./kinds/call-kinds.ts";
import { killSwitchKinds } from "./kinds/kill-switch-kinds.ts";
import { policyKinds } from "./kinds/policy-kinds.ts";
import { serviceKinds } from "./kinds/service-kinds.ts";
import type { WebhookKind } from "./webhook-kind.ts";

/** Version of the form of a body. It grows when a member changes its meaning or goes away. */
export const WEBHOOK_SCHEMA_VERSION = 1;

const KINDS = {
  ...callKinds,
  ...killSwitchKinds,
  ...agentKinds,
  ...policyKinds,
  ...alertKinds,
  ...serviceKinds,
};

export type WebhookType = keyof typeof KINDS;

/** The names of rows that at least one kind of event is made of. */
export type WebhookRowName = (typeof KINDS)[WebhookType]["rows"][number];

/** Every event that webhooks deliver. A new kind is one entry here. */
export const WEBHOOK_EVENTS: Readonly<Record<WebhookType, WebhookKind>> = KINDS;

export const WEBHOOK_TYPES = Object.keys(KINDS) as readonly WebhookType[];

/** What one delivery is about. Its JSON is the body. */
export interface WebhookEvent {
  /** The same over all deliveries of the event, and unique among events. */
  readonly id: string;
  readonly type: WebhookType;
  /** RFC 3339 UTC: when it happened. */
  readonly timestamp: string;
  readonly org_id: string;
  readonly schema_version: typeof WEBHOOK_SCHEMA_VERSION;
  /** The log that its row is in. */
  readonly log_id: string;
  /** The place of its row in this log: of two events of a log, the later one has the greater number. */
  readonly sequence: number;
  readonly data: JsonObject;
}

/** An event as it would be sent, about things that do not exist. */
export function sampleWebhookEvent(
  type: WebhookType,
  { id, timestamp, org_id }: Pick<WebhookEvent, "id" | "timestamp" | "org_id">,
): WebhookEvent {
  return {
    id,
    type,
    timestamp,
    org_id,
    schema_version: WEBHOOK_SCHEMA_VERSION,
    log_id: "sample",
    sequence: 0,
    data: WEBHOOK_EVENTS[type].example,
  };
}
