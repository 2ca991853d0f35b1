import type { Principal } from "@svc/contract/principal";
import type {
  IssuedWebhook,
  WebhookAnswer,
  WebhookRecord,
  WebhookRotation,
  WebhookUpdate,
} from "@svc/contract/webhook";
import type { WebhookWithHealth } from "@svc/contract/webhook-delivery";
import type { WebhookDisabledReason } from "@svc/contract/webhook-disabled-reason";
import type { Page, PageRequest } from "@svc/store/ports/page";
import { callStore, readPage } from "../call-store.ts";
import { type Outcome, refuse } from "../refusal.ts";
import { type ChangePorts, changeWebhook, forgetSecrets, readWebhook } from "./change-webhook.ts";
import { sealNewSecret } from "./create-webhook.ts";
import { refuseWebhook } from "./refuse-webhook.ts";
import { webhookHealth } from "./webhook-health.ts";
import type { WebhookPorts } from "./webhook-ports.ts";
import { webhookView } from "./webhook-view.ts";

/** Stands in rows of endpoints that the service disabled. */
const SERVICE = "webhooks";

/** Newest first. */
export async function listWebhooks(
  ports: Pick<WebhookPorts, "clock" | "log" | "webhooks">,
  { org }: Principal,
  page: PageRequest,
): Promise<Outcome<Page<WebhookAnswer>>> {
  const found = await readPage(ports, page, () => ports.webhooks.list(org, page));
  if (found.kind === "problem") return found;
  const nowMs = ports.clock.now().getTime();
  const items = found.value.items.map((record) => webhookView(record, nowMs));
  return { kind: "ok", value: { ...found.value, items } };
}

/** With how it fares. */
export async function getWebhook(
  ports: Pick<WebhookPorts, "clock" | "log" | "webhooks" | "deliveries" | "rows" | "webhookSending">,
  { org }: Principal,
  id: string,
): Promise<Outcome<WebhookWithHealth>> {
  const found = await readWebhook(ports, org, id);
  if (found.kind === "problem") return found;
  const health = await webhookHealth(ports, { org, record: found.value });
  if (health.kind === "problem") return health;
  const shown = webhookView(found.value, ports.clock.now().getTime());
  return { kind: "ok", value: { ...shown, health: health.value } };
}

/** Changes what the request names. An endpoint that is enabled again goes on where it was. */
export async function updateWebhook(
  ports: WebhookPorts,
  principal: Principal,
  { id, update }: { readonly id: string; readonly update: WebhookUpdate },
): Promise<Outcome<WebhookAnswer>> {
  const refusal = await refuseWebhook(ports, principal, update);
  if (refusal !== null) return refusal;
  const { enabled, ...rest } = update;
  const settings = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  const plan = (before: WebhookRecord) => {
    const record = { ...before, ...settings, ...switched(before, enabled, ports) };
    return { kind: "replace", action: "updated", record } as const;
  };
  const outcome = await changeWebhook(ports, principal, { id, plan });
  if (outcome.kind === "problem") return outcome;
  // Failures of before must not disable it at once.
  if (enabled === true) {
    const revived = await callStore(ports, NOT_REVIVED, () => ports.deliveries.revive(id));
    if (revived.kind === "problem") return revived;
  }
  return viewed(ports, outcome);
}

const NOT_REVIVED =
  "The webhook is changed, and the store did not confirm that its earlier failures are forgotten. Enable " +
  "it once more; repeating is safe.";

/** Makes the next secret, or lets it take over. */
export async function rotateWebhookSecret(
  ports: Pick<WebhookPorts, "clock" | "log" | "newId" | "webhooks" | "sealedSecrets">,
  principal: Principal,
  { id, overlap_seconds, activate }: WebhookRotation & { readonly id: string },
): Promise<Outcome<IssuedWebhook>> {
  if (activate) return activateSecret(ports, principal, id);
  const found = await readWebhook(ports, principal.org, id);
  if (found.kind === "problem") return found;
  const sealed = await sealNewSecret(ports, principal.org);
  if (sealed.kind === "problem") return sealed;
  const { secret, secretId } = sealed.value;
  const now = ports.clock.now();
  const at = new Date(now.getTime() + overlap_seconds * 1_000).toISOString();
  const secrets =
    overlap_seconds === 0
      ? { secret_id: secretId, next_secret: null }
      : { next_secret: { id: secretId, since: now.toISOString(), at } };
  const plan = (before: WebhookRecord) => {
    const { next_secret: next } = before;
    if (next !== null && overlap_seconds > 0) return refuse("conflict", waitsAlready(id, next));
    return { kind: "replace", action: "secret_rotated", record: { ...before, ...secrets } } as const;
  };
  const outcome = await changeWebhook(ports, principal, { id, plan });
  if (outcome.kind === "problem") {
    // After a fault of the store, the record may name it.
    if (outcome.problem.code !== "unavailable") await forgetSecrets(ports, principal.org, [secretId]);
    return outcome;
  }
  return issued(ports, outcome.value, secret);
}

/** Somebody may have given the one that waits to the receiver. */
function waitsAlready(id: string, { since, at }: NonNullable<WebhookRecord["next_secret"]>): string {
  return (
    `Webhook ${id} has had a next secret since ${since}, which takes over at ${at}. Let it take over ` +
    "now with activate, or replace both secrets at once with overlap_seconds 0."
  );
}

async function activateSecret(
  ports: ChangePorts,
  principal: Principal,
  id: string,
): Promise<Outcome<IssuedWebhook>> {
  const plan = (before: WebhookRecord) => {
    const { next_secret: next } = before;
    if (next === null)
      return refuse(
        "conflict",
        `Webhook ${id} has no next secret. Rotate its secret without activate first.`,
      );
    const record = { ...before, secret_id: next.id, next_secret: null };
    return { kind: "replace", action: "secret_activated", record } as const;
  };
  const outcome = await changeWebhook(ports, principal, { id, plan });
  return outcome.kind === "problem" ? outcome : issued(ports, outcome.value, null);
}

/** Removes an endpoint with its secrets, its attempts and its dead deliveries. */
export async function removeWebhook(
  ports: ChangePorts & Pick<WebhookPorts, "deliveries">,
  principal: Principal,
  id: string,
): Promise<Outcome<WebhookAnswer>> {
  const outcome = await changeWebhook(ports, principal, { id, plan: () => ({ kind: "remove" }) });
  if (outcome.kind === "problem") return outcome;
  await callStore(ports, "deliveries of a webhook that was removed are still stored", () =>
    ports.deliveries.remove(id),
  );
  return viewed(ports, outcome);
}

/** Called by the sender for an endpoint that answered 410, or failed for too long. @throws to try again */
export async function disableWebhook(
  ports: ChangePorts,
  org: string,
  { id, reason }: { readonly id: string; readonly reason: WebhookDisabledReason },
): Promise<void> {
  const plan = (before: WebhookRecord) => {
    if (before.disabled_at !== null) return { kind: "same" } as const;
    const disabled_at = ports.clock.now().toISOString();
    const record = { ...before, disabled_at, disabled_reason: reason };
    return { kind: "replace", action: "disabled", record } as const;
  };
  const outcome = await changeWebhook(ports, { org, id: SERVICE }, { id, plan });
  if (outcome.kind === "problem" && outcome.problem.code !== "not_found")
    throw new Error(`the webhook ${id} was not disabled: ${outcome.problem.detail}`);
}

function switched(
  { disabled_at }: WebhookRecord,
  enabled: boolean | undefined,
  { clock }: Pick<WebhookPorts, "clock">,
): Pick<WebhookRecord, "disabled_at" | "disabled_reason"> | null {
  if (enabled === undefined || enabled === (disabled_at === null)) return null;
  return enabled
    ? { disabled_at: null, disabled_reason: null }
    : { disabled_at: clock.now().toISOString(), disabled_reason: "operator" };
}

function viewed(
  { clock }: Pick<WebhookPorts, "clock">,
  outcome: Outcome<WebhookRecord>,
): Outcome<WebhookAnswer> {
  if (outcome.kind === "problem") return outcome;
  return { kind: "ok", value: webhookView(outcome.value, clock.now().getTime()) };
}

function issued(
  { clock }: Pick<WebhookPorts, "clock">,
  record: WebhookRecord,
  secret: string | null,
): Outcome<IssuedWebhook> {
  const shown = webhookView(record, clock.now().getTime());
  return { kind: "ok", value: { kind: "issued", ...shown, secret } };
}
