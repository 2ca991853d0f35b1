import type { MessagePort } from "node:worker_threads";
import { OutboundDialer, type OutboundDialerParts } from "@svc/outbound/outbound-dialer";
import { systemClock } from "@svc/process/clock";
import { remoteOfPort } from "@svc/process/port-calls";
import type { Remote } from "@svc/process/service-call";
import { nodeTimers } from "@svc/process/timers";
import { openPostgresAuditReader } from "@svc/store/open-postgres-audit-reader";
import { openSqliteAuditReader } from "@svc/store/open-sqlite-audit-reader";
import type { AuditReader } from "@svc/store/ports/audit-store";
import type { DeliveryCourses } from "@svc/store/ports/delivery-store";
import { KeyedDigest } from "@svc/text/keyed-digest";
import {
  type Channel,
  type ChannelFacts,
  type ChannelParts,
  channelDestination,
} from "./channels/channel-destination.ts";
import { lazyMailSender } from "./channels/lazy-mail-sender.ts";
import type { SmtpSettings } from "./channels/smtp-settings.ts";
import type { AttemptOutcome } from "./destination.ts";
import { type Endpoint, endpointDestination } from "./endpoint.ts";
import type { DisabledReason } from "./endpoint-courier.ts";
import { Outbox } from "./outbox.ts";
import { SharedPages } from "./shared-pages.ts";

/** Whom events are brought to: endpoints of webhooks, or notification channels. */
export type OutboxSide = "webhooks" | "channels";

export interface OutboxSettings extends Omit<OutboundDialerParts, "resolve"> {
  /** Where the logs are. */
  readonly place:
    | { readonly kind: "sqlite"; readonly dataDir: string }
    | { readonly kind: "postgres"; readonly url: string };
  /** What ids of deliveries are made with. */
  readonly digestKey: string;
  readonly publicUrl: string;
  readonly pagerdutyUrl: string;
  /** Null: this server sends no mail. */
  readonly smtp: SmtpSettings | null;
}

/** What the sender asks the thread that has the store. */
export interface OutboxHost extends DeliveryCourses, ChannelFacts {
  disable(side: OutboxSide, id: string, reason: DisabledReason): Promise<void>;
  warn(fault: string, message: string): void;
}

/** Everybody who takes deliveries. */
export interface Receivers {
  readonly webhooks: readonly Endpoint[];
  readonly channels: readonly Channel[];
}

/** How the sender fares. */
export interface OutboxFigures {
  /** Milliseconds for which each endpoint of webhooks has not had everything, by its id. */
  readonly lagsMs: ReadonlyMap<string, number>;
  /** Attempts since the figures before, in the order in which they ended. */
  readonly attempts: readonly { readonly side: OutboxSide; readonly outcome: AttemptOutcome["kind"] }[];
}

/**
 * Milliseconds for which the thread sends after it was last told to whom. A process that was paused may have
 * lost the lead meanwhile, and is told so first.
 */
const TOLD_FOR_MS = 3_000;

interface Opened {
  readonly sides: Readonly<Record<OutboxSide, Outbox>>;
  readonly telling: ChannelParts;
  readonly reader: AuditReader;
  readonly dialer: OutboundDialer;
  readonly port: MessagePort;
}

/** The senders to webhooks and to channels, on a thread of their own: an attempt costs the calls nothing. */
export class OutboxService {
  #opened: Opened | null = null;
  #toldAtMs = Number.NEGATIVE_INFINITY;
  readonly #attempts: { side: OutboxSide; outcome: AttemptOutcome["kind"] }[] = [];

  /** @param port leads to an `OutboxHost` */
  open(settings: OutboxSettings, port: MessagePort): void {
    const { place } = settings;
    const host = remoteOfPort<OutboxHost>(port);
    const reader =
      place.kind === "sqlite" ? openSqliteAuditReader(place.dataDir) : openPostgresAuditReader(place.url);
    const dialer = new OutboundDialer(settings);
    const pages = new SharedPages({ audit: reader.audit, clock: systemClock });
    const sides = {
      webhooks: this.#outboxOf("webhooks", { settings, host, pages }),
      channels: this.#outboxOf("channels", { settings, host, pages }),
    };
    const { publicUrl, pagerdutyUrl, smtp } = settings;
    const sending = { dialer, clock: systemClock };
    const mail = smtp === null ? null : lazyMailSender({ ...sending, settings: smtp });
    const telling = { ...sending, publicUrl, pagerdutyUrl, mail, facts: host };
    this.#opened = { sides, telling, reader, dialer, port };
  }

  /**
   * Sends to these from now on, and to nobody else. To be called every second.
   * @returns null when the thread was not opened yet
   */
  keep({ webhooks, channels }: Receivers): OutboxFigures | null {
    if (this.#opened === null) return null;
    const { sides, telling } = this.#opened;
    this.#toldAtMs = systemClock.nowMs();
    sides.webhooks.keep(webhooks.map((endpoint) => endpointDestination(telling, endpoint)));
    sides.channels.keep(channels.map((channel) => channelDestination(telling, channel)));
    const attempts = this.#attempts.splice(0);
    return { lagsMs: new Map(webhooks.map(({ id }) => [id, sides.webhooks.lagOf(id)])), attempts };
  }

  /** Resolves when nothing is sent any more. */
  async close(): Promise<readonly OutboxFigures["attempts"][number][]> {
    const opened = this.#opened;
    this.#opened = null;
    if (opened === null) return [];
    const { sides, reader, dialer, port } = opened;
    await Promise.all([sides.webhooks.stop(), sides.channels.stop()]);
    await Promise.all([reader.close(), dialer.close()]);
    port.close();
    return this.#attempts.splice(0);
  }

  #outboxOf(
    side: OutboxSide,
    {
      settings: { digestKey },
      host,
      pages,
    }: { readonly settings: OutboxSettings; readonly host: Remote<OutboxHost>; readonly pages: SharedPages },
  ): Outbox {
    const digest = new KeyedDigest(digestKey);
    return new Outbox({
      deliveries: host,
      pages,
      disable: async (id, reason) => host.disable(side, id, reason),
      noteAttempt: (outcome) => void this.#attempts.push({ side, outcome }),
      digest: (text) => digest.of(text),
      leads: () => systemClock.nowMs() - this.#toldAtMs < TOLD_FOR_MS,
      clock: systemClock,
      timers: nodeTimers,
      log: { warn: (fields, message) => void host.warn(faultOf(fields), message) },
      random: () => Math.random(),
    });
  }
}

function faultOf(fields: unknown): string {
  const { err, endpoint } = fields as { readonly err?: unknown; readonly endpoint?: string };
  const fault = err instanceof Error ? err.message : String(err);
  return endpoint === undefined ? fault : `${endpoint}: ${fault}`;
}
