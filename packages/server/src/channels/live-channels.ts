import { faultFields } from "@svc/contract/fault-fields";
import type { ChannelRecord } from "@svc/contract/notification-channel";
import { type ChannelUser, channelUsers } from "@svc/control-plane/channel-uses";
import { openChannel } from "@svc/control-plane/channels";
import type { SealedSecrets } from "@svc/control-plane/sealed-secrets";
import type { Channel, ChannelAddress } from "@svc/outbox/channel-destination";
import { FreshAnswer } from "@svc/process/fresh-answer";
import type { Logger } from "@svc/process/logger";
import type { Store } from "@svc/store/ports/store";

export interface LiveChannelsParts {
  readonly store: Pick<Store, "notificationChannels" | "deliveries" | "namespaces" | "approvalWorkflows">;
  readonly secrets: Pick<SealedSecrets, "get">;
  /** Another number whenever rows were committed: a change of who names a channel has one. Null: unknown. */
  readonly news: () => number | null;
  readonly log: Pick<Logger, "error">;
}

interface Owned {
  readonly org: string;
  readonly record: ChannelRecord;
}

/** The channels of all organizations that somebody names, with what is secret. */
export class LiveChannels {
  readonly #parts: LiveChannelsParts;
  readonly #inForce: FreshAnswer<readonly Owned[]>;
  readonly #users: FreshAnswer<readonly ChannelUser[]>;
  /** By the ids of their secrets, under which an address never changes. */
  #addresses: ReadonlyMap<string, ChannelAddress> = new Map();
  #owned: ReadonlyMap<string, Owned> = new Map();

  constructor(parts: LiveChannelsParts) {
    const { store, news } = parts;
    this.#parts = parts;
    this.#inForce = new FreshAnswer(async () => store.notificationChannels.everyInForce(), news);
    this.#users = new FreshAnswer(async () => channelUsers(store), news);
  }

  /** The organization and the id of a channel that was read, by its course. */
  find(courseId: string): { readonly org: string; readonly id: string } | null {
    const found = this.#owned.get(courseId);
    return found === undefined ? null : { org: found.org, id: found.record.id };
  }

  async read(): Promise<readonly Channel[]> {
    const { store } = this.#parts;
    const found = await this.#inForce.get();
    if (found.length === 0) return [];
    const users = await this.#users.get();
    const versions = await store.deliveries.versions();
    await this.#open(found);
    this.#owned = new Map(found.map((owned) => [owned.record.course_id, owned]));
    return found.flatMap(({ org, record }) => {
      const naming = users.filter(
        (user) => user.org === org && user.channels.some(({ channel }) => channel === record.id),
      );
      const address = this.#addresses.get(keyOf(record));
      if (address === undefined || naming.length === 0) return [];
      const ids = (kind: (typeof naming)[number]["kind"]) =>
        new Set(naming.filter((user) => user.kind === kind).map(({ id }) => id));
      return {
        id: record.course_id,
        org,
        courseVersion: versions.get(record.course_id) ?? 0,
        address,
        namespaces: ids("namespace"),
        workflows: ids("approval workflow"),
      };
    });
  }

  /** One that cannot be read stops its channel alone, and is tried again. */
  async #open(found: readonly Owned[]): Promise<void> {
    const { secrets, log } = this.#parts;
    const opened = new Map<string, ChannelAddress>();
    for (const { org, record } of found) {
      const known = this.#addresses.get(keyOf(record));
      if (known !== undefined) opened.set(keyOf(record), known);
      else
        try {
          opened.set(keyOf(record), await openChannel({ sealedSecrets: secrets }, org, record));
        } catch (error) {
          const fields = { ...faultFields(error), org, notification_channel_id: record.id };
          log.error(fields, "a notification channel is told nothing: its address is not readable");
        }
    }
    this.#addresses = opened;
  }
}

/** Changes with the address. Addresses of mail are in the record itself. */
function keyOf({ course_id, secret_id, email }: ChannelRecord): string {
  return secret_id ?? JSON.stringify([course_id, email]);
}
