import type { ChannelKind } from "@svc/contract/channel-kinds";
import type { ChannelTest } from "@svc/contract/notification-channel";
import type { SecretPlace } from "@svc/store/ports/secret-store";
import { parseJson } from "@svc/text/parse-json";

/** Whom a channel tells, with what is secret. */
export interface OpenedChannel {
  readonly kind: ChannelKind;
  /** An address or a key; null: mail. */
  readonly address: string | null;
  /** What deliveries of a webhook are signed with; null: another kind. */
  readonly signing: string | null;
  readonly email: readonly string[];
}

/** Sends a message that says that it is a test. Never rejects because of the receiver. */
export interface ChannelTester {
  test(org: string, channel: OpenedChannel): Promise<ChannelTest>;
}

/** Where the address or the key of a channel is kept. */
export function channelSecretPlace(org: string, id: string): SecretPlace {
  return { org, kind: "notification_channel", id };
}

type ChannelSecret = Pick<OpenedChannel, "address" | "signing">;

export function renderChannelSecret({ address, signing }: ChannelSecret): string {
  return JSON.stringify({ address, signing });
}

export function readChannelSecret(text: string): ChannelSecret {
  return parseJson(text) as ChannelSecret;
}
