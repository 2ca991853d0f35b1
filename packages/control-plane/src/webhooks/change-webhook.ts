import type { Principal } from "@svc/contract/principal";
import type { WebhookRecord } from "@svc/contract/webhook";
import type { WebhookRow } from "@svc/contract/webhook-row";
import { callStore, readRecord } from "../call-store.ts";
import { type Outcome, type Refusal, refuse } from "../refusal.ts";
import { webhookSecretPlace } from "./sealed-secrets.ts";
import type { WebhookPorts } from "./webhook-ports.ts";
import { webhookRow } from "./webhook-row.ts";
import { secretIdsOf, settledWebhook } from "./webhook-view.ts";

/** Attempts at a change that others changed meanwhile, as count. For each of them, another one succeeded. */
const ATTEMPTS = 5;

const NOT_CONFIRMED =
  "The store did not confirm the change of the webhook. Read the webhook before you try again.";

export type ChangePorts = Pick<WebhookPorts, "clock" | "log" | "webhooks" | "sealedSecrets">;

/** What becomes of an endpoint: another record with the action of its row, a removal, or a refusal. */
export type WebhookChange =
  | { readonly kind: "replace"; readonly action: WebhookRow["action"]; readonly record: WebhookRecord }
  | { readonly kind: "remove" }
  | { readonly kind: "same" }
  | Refusal;

export async function readWebhook(
  ports: Pick<WebhookPorts, "log" | "webhooks">,
  org: string,
  id: string,
): Promise<Outcome<WebhookRecord>> {
  return readRecord(
    ports,
    () => ports.webhooks.find(org, id),
    () => refuse("not_found", `This organization has no webhook ${id}. GET webhooks lists them.`),
  );
}

/** Changes an endpoint with its audit row, however many others change it. Gives the record after it. */
export async function changeWebhook(
  ports: ChangePorts,
  { org, id: principal }: Pick<Principal, "org" | "id">,
  { id, plan }: { readonly id: string; readonly plan: (before: WebhookRecord) => WebhookChange },
): Promise<Outcome<WebhookRecord>> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const found = await readWebhook(ports, org, id);
    if (found.kind === "problem") return found;
    const before = found.value;
    const now = ports.clock.now();
    const change = plan(settledWebhook(before, now.getTime()));
    if (change.kind === "problem") return change;
    if (change.kind === "same") return found;
    const action = change.kind === "remove" ? "removed" : change.action;
    const isKept = change.kind === "remove" || change.action === "replayed";
    const after = isKept ? before : changed(change.record, { principal, now });
    const row = { org, principal, time: now.toISOString(), action, record: after };
    const audited = { org, auditRow: webhookRow(row), before };
    const stored = await callStore(ports, NOT_CONFIRMED, async () =>
      change.kind === "remove"
        ? ports.webhooks.remove(audited)
        : ports.webhooks.replace({ ...audited, record: after }),
    );
    if (stored.kind === "problem") return stored;
    if (stored.value.kind === "changed_before" || stored.value.kind === "not_found") continue;
    const kept: readonly string[] = change.kind === "remove" ? [] : secretIdsOf(after);
    await forgetSecrets(
      ports,
      org,
      secretIdsOf(before).filter((each) => !kept.includes(each)),
    );
    ports.log.info({ org, principal, webhook_id: id, action }, "webhook changed");
    return { kind: "ok", value: after };
  }
  return refuse("conflict", `Webhook ${id} was changed again and again by others. Try again.`);
}

/** A secret that stays behind by a fault opens nothing: no record names it. The log has the fault. */
export async function forgetSecrets(
  ports: Pick<ChangePorts, "log" | "sealedSecrets">,
  org: string,
  ids: readonly string[],
): Promise<void> {
  for (const id of ids)
    await callStore(ports, "a secret of a webhook that nothing uses was not removed", () =>
      ports.sealedSecrets.remove(webhookSecretPlace(org, id)),
    );
}

function changed(
  record: WebhookRecord,
  { principal, now }: { readonly principal: string; readonly now: Date },
): WebhookRecord {
  return { ...record, updated_at: now.toISOString(), updated_by: principal };
}
