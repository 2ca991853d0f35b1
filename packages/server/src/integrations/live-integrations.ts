import { faultFields } from "@svc/contract/fault-fields";
import type { IntegrationSettings } from "@svc/contract/integration";
import { sendsRows } from "@svc/contract/integration-kinds";
import type { IntegrationRecord } from "@svc/contract/integration-record";
import { openIntegration } from "@svc/control-plane/opened-integration";
import type { SealedSecrets } from "@svc/control-plane/sealed-secrets";
import type { RowIntegration } from "@svc/outbox/integration-destination";
import { FreshAnswer } from "@svc/process/fresh-answer";
import type { Logger } from "@svc/process/logger";
import type { RecordStores } from "@svc/store/ports/record-store";
import type { Store } from "@svc/store/ports/store";

export interface LiveIntegrationsParts {
  readonly store: Pick<Store, "integrations">;
  readonly secrets: Pick<SealedSecrets, "get">;
  readonly log: Pick<Logger, "error">;
  /** Another number whenever a record may have changed; null: that is not known. */
  readonly news: () => number | null;
}

interface Opened {
  readonly revision: string;
  readonly settings: IntegrationSettings;
}

/** The integrations of all organizations that rows are sent to, with their secrets. */
export class LiveIntegrations {
  readonly #parts: LiveIntegrationsParts;
  readonly #records: FreshAnswer<Awaited<ReturnType<RecordStores["integrations"]["everyInForce"]>>>;
  /** By id. Opening a secret each second would cost the store. */
  #opened: ReadonlyMap<string, Opened> = new Map();

  constructor(parts: LiveIntegrationsParts) {
    this.#parts = parts;
    this.#records = new FreshAnswer(async () => parts.store.integrations.everyInForce(), parts.news);
  }

  async read(): Promise<readonly RowIntegration[]> {
    const found = await this.#records.get();
    const opened = new Map<string, Opened>();
    const live: RowIntegration[] = [];
    for (const { org, record } of found) {
      if (!sendsRows(record.settings.kind)) continue;
      const each = await this.#open(org, record);
      if (each === null || each.settings.kind === "github") continue;
      opened.set(record.id, each);
      live.push({ id: record.id, org, revision: each.revision, settings: each.settings });
    }
    this.#opened = opened;
    return live;
  }

  /** One that cannot be read stops its integration alone, and is tried again. */
  async #open(org: string, record: IntegrationRecord): Promise<Opened | null> {
    const { secrets, log } = this.#parts;
    const { id, updated_at, secret_id } = record;
    const revision = `${updated_at} ${secret_id ?? ""}`;
    const known = this.#opened.get(id);
    if (known?.revision === revision) return known;
    try {
      return { revision, settings: await openIntegration(secrets, org, record) };
    } catch (error) {
      const fields = { ...faultFields(error), org, integration_id: id };
      log.error(fields, "an integration is sent nothing: its secret is not readable");
      return null;
    }
  }
}
