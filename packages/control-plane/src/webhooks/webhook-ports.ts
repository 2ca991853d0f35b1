import type { ControlPlanePorts } from "../ports.ts";

export type WebhookPorts = Pick<
  ControlPlanePorts,
  | "clock"
  | "log"
  | "newId"
  | "webhooks"
  | "deliveries"
  | "namespaces"
  | "rows"
  | "sealedSecrets"
  | "destinations"
  | "webhookSending"
>;
