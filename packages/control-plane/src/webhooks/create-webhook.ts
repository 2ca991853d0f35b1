import type { Principal } from "@svc/contract/principal";
import { newWebhookSecret } from "@svc/contract/sign-webhook";
import type { IssuedWebhook, WebhookCreation, WebhookDryRun, WebhookRecord } from "@svc/contract/webhook";
import { MAX_WEBHOOKS_PER_ORG } from "@svc/contract/webhook-limits";
import { newCourse } from "@svc/store/ports/delivery-store";
import { callStore, readPage } from "../call-store.ts";
import { type Outcome, type Refusal, refuse } from "../refusal.ts";
import { forgetSecrets } from "./change-webhook.ts";
import { refuseWebhook } from "./refuse-webhook.ts";
import { webhookSecretPlace } from "./sealed-secrets.ts";
import type { WebhookPorts } from "./webhook-ports.ts";
import { webhookRow } from "./webhook-row.ts";
import { webhookView } from "./webhook-view.ts";

const NOT_MADE =
  "The store did not confirm the webhook, so it may exist. List the webhooks before you try again.";

const NOT_SEALED =
  "The secret of the webhook could not be stored, so nothing was changed. The log of the server says why; " +
  "with PostgreSQL the server needs SVC_SECRETS_KEY.";

/** Registers an endpoint. It gets what is committed from now on. */
export async function createWebhook(
  ports: WebhookPorts,
  principal: Principal,
  { enabled, ...settings }: WebhookCreation,
): Promise<Outcome<IssuedWebhook>> {
  const refusal = await refuseWebhook(ports, principal, settings);
  if (refusal !== null) return refusal;
  const { org } = principal;
  const sealed = await sealNewSecret(ports, org);
  if (sealed.kind === "problem") return sealed;
  const { secret, secretId } = sealed.value;
  const time = ports.clock.now().toISOString();
  const record: WebhookRecord = {
    id: ports.newId("whk"),
    ...settings,
    disabled_at: enabled ? null : time,
    disabled_reason: enabled ? null : "operator",
    created_at: time,
    created_by: principal.id,
    updated_at: time,
    updated_by: principal.id,
    secret_id: secretId,
    next_secret: null,
  };
  const problem = await storeWebhook(ports, principal, record);
  if (problem !== null) {
    // After a fault of the store, the record may name it.
    if (problem.problem.code !== "unavailable") await forgetSecrets(ports, org, [secretId]);
    return problem;
  }
  ports.log.info({ org, principal: principal.id, webhook_id: record.id }, "webhook created");
  const shown = webhookView(record, ports.clock.now().getTime());
  return { kind: "ok", value: { kind: "issued", ...shown, secret } };
}

/** Says whether an endpoint would be registered. It makes no secret and stores nothing. */
export async function tryWebhook(
  ports: WebhookPorts,
  principal: Principal,
  creation: WebhookCreation,
): Promise<Outcome<WebhookDryRun>> {
  const refusal = await refuseWebhook(ports, principal, creation);
  if (refusal !== null) return refusal;
  const page = { limit: MAX_WEBHOOKS_PER_ORG, after: null };
  const listed = await readPage(ports, page, () => ports.webhooks.list(principal.org, page));
  if (listed.kind === "problem") return listed;
  if (listed.value.items.length >= MAX_WEBHOOKS_PER_ORG) return tooMany();
  return { kind: "ok", value: { kind: "dry_run", dry_run: true, ...creation } };
}

function tooMany(): Refusal {
  return refuse(
    "limit_reached",
    "This organization has as many webhooks as it can have. Remove one that is no longer used.",
  );
}

/** Makes a secret and stores it encrypted, before a record names it. */
export async function sealNewSecret(
  ports: Pick<WebhookPorts, "log" | "newId" | "sealedSecrets">,
  org: string,
): Promise<Outcome<{ readonly secret: string; readonly secretId: string }>> {
  const secret = newWebhookSecret();
  const secretId = ports.newId("whs");
  const put = () => ports.sealedSecrets.put(webhookSecretPlace(org, secretId), secret);
  const stored = await callStore(ports, NOT_SEALED, put);
  return stored.kind === "problem" ? stored : { kind: "ok", value: { secret, secretId } };
}

/** Its course begins before the record is there, so no event between the two is left out. */
async function storeWebhook(
  ports: WebhookPorts,
  { org, id: principal }: Principal,
  record: WebhookRecord,
): Promise<Refusal | null> {
  const begun = await callStore(ports, NOT_MADE, async () => {
    const { sizes } = await ports.rows.eventRows({ from: new Map(), limit: 0, maxBytes: 1 });
    await ports.deliveries.begin(record.id, newCourse(sizes));
  });
  if (begun.kind === "problem") return begun;
  const auditRow = webhookRow({ org, principal, time: record.created_at, action: "created", record });
  const stored = await callStore(ports, NOT_MADE, () => ports.webhooks.create({ org, auditRow, record }));
  // Whether the record is there is not known. Without its course, it would get nothing.
  if (stored.kind === "problem") return stored;
  if (stored.value.kind === "created") return null;
  await callStore(ports, "the course of a webhook that was not made stays", () =>
    ports.deliveries.remove(record.id),
  );
  return tooMany();
}
