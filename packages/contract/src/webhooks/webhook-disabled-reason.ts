/** Why an endpoint gets no deliveries: somebody disabled it, it answered 410, or it failed for five days. */
export const WEBHOOK_DISABLED_REASONS = ["operator", "gone", "failed_for_too_long"] as const;

export type WebhookDisabledReason = (typeof WEBHOOK_DISABLED_REASONS)[number];
