import { webhookRoutes } from "@svc/api/webhook-routes";
import { MAX_PAGE_SIZE } from "@svc/contract/limits";
import type { WebhookAnswer } from "@svc/contract/webhook";
import type { ControlClient } from "../connection/control-client.ts";

/** Webhooks whose health is asked for, as count: each is a question, and a watch asks every two seconds. */
const MAX_ASKED = 10;

/** An endpoint that gets nothing, or next to nothing. */
interface TroubledWebhook {
  readonly id: string;
  /** Scheme and host of its address: the rest can hold secrets. */
  readonly origin: string;
  readonly state: "suspended" | "disabled";
  readonly disabled_reason: WebhookAnswer["disabled_reason"];
  /** Null for one that is disabled. */
  readonly next_probe_at: string | null;
}

export interface TroubledWebhooks {
  readonly items: readonly TroubledWebhook[];
  /** Registered ones, as count. */
  readonly registered: number;
  /** Enabled ones of which nobody asked whether they are suspended, as count. */
  readonly not_asked: number;
}

/** An organization has fewer webhooks than a page has places. */
export async function readTroubledWebhooks(client: ControlClient): Promise<TroubledWebhooks> {
  const { body } = await client.ask(webhookRoutes.listWebhooks, { query: { limit: String(MAX_PAGE_SIZE) } });
  const { webhooks } = body;
  const enabled = webhooks.filter((one) => one.enabled);
  const asked = enabled.slice(0, MAX_ASKED).map(async ({ id }) => {
    const { body: found } = await client.ask(webhookRoutes.getWebhook, { params: { webhook_id: id } });
    const { state, next_probe_at } = found.health;
    return state === "suspended" ? [{ ...named(found), state, next_probe_at }] : [];
  });
  const suspended = (await Promise.all(asked)).flat();
  const disabled = webhooks
    .filter((one) => !one.enabled)
    .map((one) => ({ ...named(one), state: "disabled" as const, next_probe_at: null }));
  return {
    items: [...suspended, ...disabled],
    registered: webhooks.length,
    not_asked: Math.max(enabled.length - MAX_ASKED, 0),
  };
}

function named({ id, url, disabled_reason }: WebhookAnswer) {
  return { id, origin: URL.canParse(url) ? new URL(url).origin : "", disabled_reason };
}
