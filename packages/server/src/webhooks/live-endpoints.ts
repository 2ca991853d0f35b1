import { faultFields } from "@svc/contract/fault-fields";
import { type SealedSecrets, webhookSecretPlace } from "@svc/control-plane/sealed-secrets";
import type { OwnedWebhook } from "@svc/control-plane/webhook-sending";
import { secretIdsOf, settledWebhook } from "@svc/control-plane/webhook-view";
import type { Endpoint } from "@svc/outbox/endpoint";
import type { WallClock } from "@svc/process/clock";
import { FreshAnswer } from "@svc/process/fresh-answer";
import type { Logger } from "@svc/process/logger";
import type { Store } from "@svc/store/ports/store";
import { endpointOf } from "./endpoint-of.ts";

export interface LiveEndpointsParts {
  readonly store: Pick<Store, "webhooks" | "deliveries">;
  readonly secrets: Pick<SealedSecrets, "get">;
  /** Another number whenever rows were committed, as a change of an endpoint has one. Null: not known. */
  readonly news: () => number | null;
  readonly clock: WallClock;
  readonly log: Pick<Logger, "error">;
}

/** The endpoints of all organizations that take deliveries, with the secrets that sign. */
export class LiveEndpoints {
  readonly #parts: LiveEndpointsParts;
  readonly #inForce: FreshAnswer<readonly OwnedWebhook[]>;
  /** By their ids, under which a secret never changes. Opening one each second would cost the store. */
  #secrets: ReadonlyMap<string, string> = new Map();
  #orgs: ReadonlyMap<string, string> = new Map();

  constructor(parts: LiveEndpointsParts) {
    this.#parts = parts;
    this.#inForce = new FreshAnswer(async () => parts.store.webhooks.everyInForce(), parts.news);
  }

  /** The organization of an endpoint that was read. */
  orgOf(endpointId: string): string | null {
    return this.#orgs.get(endpointId) ?? null;
  }

  async read(): Promise<readonly Endpoint[]> {
    const { store, clock } = this.#parts;
    const found = await this.#inForce.get();
    if (found.length === 0) return [];
    const nowMs = clock.now().getTime();
    const owned = found.map(({ org, record }) => ({ org, record: settledWebhook(record, nowMs) }));
    const versions = await store.deliveries.versions();
    await this.#openSecrets(owned);
    this.#orgs = new Map(owned.map(({ org, record }) => [record.id, org]));
    return owned.flatMap((each) => this.#endpointOf(each, versions.get(each.record.id) ?? 0));
  }

  #endpointOf(owned: OwnedWebhook, courseVersion: number): readonly Endpoint[] {
    const ids = secretIdsOf(owned.record);
    const [first, ...rest] = ids.map((id) => this.#secrets.get(id)).filter((secret) => secret !== undefined);
    // Without every secret, a receiver could take its event for a forged one.
    if (first === undefined || rest.length < ids.length - 1) return [];
    return [endpointOf(owned, [first, ...rest], courseVersion)];
  }

  async #openSecrets(owned: readonly OwnedWebhook[]): Promise<void> {
    const opened = new Map<string, string>();
    for (const { org, record } of owned)
      for (const id of secretIdsOf(record)) {
        const secret = this.#secrets.get(id) ?? (await this.#open(org, { id, webhook_id: record.id }));
        if (secret !== null) opened.set(id, secret);
      }
    this.#secrets = opened;
  }

  /** One that cannot be read stops its endpoint alone, and is tried again. */
  async #open(
    org: string,
    { id, webhook_id }: { readonly id: string; readonly webhook_id: string },
  ): Promise<string | null> {
    try {
      return await this.#parts.secrets.get(webhookSecretPlace(org, id));
    } catch (error) {
      this.#parts.log.error(
        { ...faultFields(error), webhook_id },
        "a webhook gets nothing: its secret cannot be read",
      );
      return null;
    }
  }
}
