export type { AllowVerdict, DenyVerdict, PauseVerdict, ReasonCode, Verdict } from "@svc/contract/verdict";
export type { JsonObject, JsonValue } from "@svc/text/json-value";
export type { CallOptions } from "./call.ts";
export type { ClientDeny, ClientVerdict } from "./client-deny.ts";
export type { ClientOptions } from "./client-settings.ts";
export { type GovernCallOptions, governCall } from "./govern-call.ts";
export { type GovernedOptions, type GovernedSession, governed } from "./governed.ts";
export { type GovernedFnOptions, governedFn } from "./governed-fn.ts";
export type { Heartbeats } from "./heartbeats.ts";
export type { Outcome } from "./outcome-reports.ts";
export { SvcApprovalRequired } from "./svc-approval-required.ts";
export { type AllowedCall, SvcClient, type SvcClientOptions } from "./svc-client.ts";
export { SvcDenied } from "./svc-denied.ts";
export {
  SvcWebhookInvalid,
  verifyWebhook,
  type WebhookDelivery,
  type WebhookEvent,
} from "./verify-webhook.ts";
