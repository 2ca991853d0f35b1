import type { WebhookDisabledReason } from "../webhooks/webhook-disabled-reason.ts";

/** A change of who is told what happens, or an order to tell it again. No row holds a secret. */
export interface WebhookRow {
  readonly v: 1;
  readonly kind: "webhook";
  /** RFC 3339 UTC with milliseconds. */
  readonly time: string;
  readonly org: string;
  /** `webhooks` when the service disabled the endpoint. */
  readonly principal: string;
  readonly action:
    | "created"
    | "updated"
    | "removed"
    | "secret_rotated"
    | "secret_activated"
    | "disabled"
    | "replayed";
  readonly webhook_id: string;
  /** Scheme, host and port: the rest of an address can be a secret. */
  readonly origin: string;
  readonly events: readonly string[];
  readonly agents: readonly string[] | null;
  readonly namespaces: readonly string[] | null;
  readonly decisions: readonly string[] | null;
  readonly enabled: boolean;
  /** Null while it is enabled. */
  readonly disabled_reason: WebhookDisabledReason | null;
}
