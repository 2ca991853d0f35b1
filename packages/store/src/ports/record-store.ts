import type { IntegrationRecord } from "@svc/contract/integration-record";
import type { LegalHoldRecord } from "@svc/contract/legal-hold";
import type { ChannelRecord } from "@svc/contract/notification-channel";
import type { TrustRuleRecord } from "@svc/contract/trust-rule";
import type { WebhookRecord } from "@svc/contract/webhook";
import type { AuditedChange } from "./audited-change.ts";
import type { Page, PageRequest } from "./page.ts";

/** Records of organizations. One that has ended stays in the list until it is removed. */
export interface RecordStore<Item extends { readonly id: string }> {
  /** `too_many`: the organization has as many records as it can have, those that have ended included. */
  create(
    change: AuditedChange & { readonly record: Item },
  ): Promise<{ readonly kind: "created" } | { readonly kind: "too_many" }>;
  /** @param change with the record as the caller has read it. `changed_before`: it is another one by now. */
  replace(
    change: AuditedChange & { readonly before: Item; readonly record: Item },
  ): Promise<{ readonly kind: "replaced" | "changed_before" | "not_found" }>;
  /** Removes the record as the caller has read it. */
  remove(
    change: AuditedChange & { readonly before: Item },
  ): Promise<{ readonly kind: "removed" | "changed_before" | "not_found" }>;
  find(org: string, id: string): Promise<Item | null>;
  /** Every record that has not ended, oldest first. */
  inForce(org: string): Promise<readonly Item[]>;
  /** The same of every organization. */
  everyInForce(): Promise<readonly { readonly org: string; readonly record: Item }[]>;
  /** Every record of every organization, those that have ended included. */
  every(): Promise<readonly { readonly org: string; readonly record: Item }[]>;
  /** Newest first. */
  list(org: string, page: PageRequest): Promise<Page<Item> | "bad_cursor">;
}

/** Every store of this kind. `RECORD_TABLES` says how each is kept. */
export interface RecordStores {
  /** Retention reads them: a change locks out removals of rows until it has committed. */
  readonly legalHolds: RecordStore<LegalHoldRecord>;
  /** Each exchange of a token reads those in force. */
  readonly trustRules: RecordStore<TrustRuleRecord>;
  /** The process that sends deliveries reads those in force every second. */
  readonly webhooks: RecordStore<WebhookRecord>;
  /** It reads these, too. */
  readonly notificationChannels: RecordStore<ChannelRecord>;
  /** And these. */
  readonly integrations: RecordStore<IntegrationRecord>;
}
