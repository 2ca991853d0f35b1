import { MessageChannel, type MessagePort } from "node:worker_threads";
import { faultFields } from "@svc/contract/fault-fields";
import { disableChannel } from "@svc/control-plane/channels";
import { disableWebhook } from "@svc/control-plane/webhooks";
import type { ComposedControl } from "@svc/http-api/compose-control";
import type { ChannelFacts } from "@svc/outbox/channel-destination";
import type { OutboxFigures, OutboxHost, OutboxSettings, Receivers } from "@svc/outbox/outbox-service";
import { OutboxThread } from "@svc/outbox/outbox-thread";
import { systemClock } from "@svc/process/clock";
import { servePort } from "@svc/process/port-calls";
import { RepeatedWork } from "@svc/process/repeated-work";
import { nodeTimers } from "@svc/process/timers";
import { within } from "@svc/process/within";
import type { Store } from "@svc/store/ports/store";
import { LiveChannels } from "../channels/live-channels.ts";
import { OutboxMetrics } from "../metrics/outbox-metrics.ts";
import type { ServerParts } from "../start/server-parts.ts";
import { LiveEndpoints } from "../webhooks/live-endpoints.ts";

export interface OutboxJobParts
  extends Pick<ServerParts, "store" | "outbound" | "secrets" | "registry" | "log" | "settings" | "news"> {
  readonly digestKey: string;
}

/** Milliseconds between two looks at who takes deliveries: a change takes effect within it. */
const LOOK_MS = 1_000;

/** Milliseconds that an end waits for attempts that are on their way, which end at once. */
const STOP_LIMIT_MS = 2_000;

/** Sessions of one id that are looked at, as count: an id of several agents is rare. */
const SESSIONS = 20;

const NOBODY: Receivers = { webhooks: [], channels: [] };

/**
 * Says to the thread of the senders whom events are brought to, while this process leads, and answers what it
 * asks. Without receivers there is no thread.
 */
export class OutboxJob {
  readonly #parts: OutboxJobParts;
  readonly #ports: ComposedControl["controlPlane"];
  readonly #thread: OutboxThread;
  readonly #endpoints: LiveEndpoints;
  readonly #channels: LiveChannels;
  readonly #metrics: OutboxMetrics;
  readonly #looks: RepeatedWork;
  #receivers = NOBODY;
  /** Whether a thread runs that has receivers. */
  #isSending = false;
  #lagsMs: OutboxFigures["lagsMs"] = new Map();
  #port: MessagePort | null = null;

  constructor(parts: OutboxJobParts, { controlPlane }: ComposedControl) {
    const { registry, log } = parts;
    this.#parts = parts;
    this.#ports = controlPlane;
    this.#thread = new OutboxThread({ log });
    this.#endpoints = new LiveEndpoints({ ...parts, clock: systemClock });
    this.#channels = new LiveChannels(parts);
    this.#metrics = new OutboxMetrics(registry, () => this.#lagsMs);
    this.#looks = new RepeatedWork(nodeTimers, async () => this.#look());
  }

  start(): void {
    this.#looks.start(0);
  }

  /** Resolves when nothing is sent any more. Attempts that are on their way are ended. */
  async stop(): Promise<void> {
    await this.#looks.stop();
    if (this.#isSending) {
      const closed = this.#thread.calls.close().then((attempts) => this.#metrics.note(attempts));
      await within(
        STOP_LIMIT_MS,
        closed.catch((error: unknown) => this.#warn(error)),
      );
    }
    this.#port?.close();
    await this.#thread.close();
  }

  /** Milliseconds for which an endpoint has not had everything: 0 when this process does not send to it. */
  lagOf(endpointId: string): number {
    return this.#lagsMs.get(endpointId) ?? 0;
  }

  async #look(): Promise<number> {
    const receivers = await this.#read();
    const isWanted = receivers.webhooks.length + receivers.channels.length > 0;
    if (!isWanted && !this.#isSending) return LOOK_MS;
    try {
      const figures = await this.#keep(receivers);
      this.#isSending = isWanted;
      this.#lagsMs = figures.lagsMs;
      this.#metrics.note(figures.attempts);
    } catch (error) {
      this.#warn(error);
    }
    return LOOK_MS;
  }

  /** What cannot be read stays as it is. */
  async #read(): Promise<Receivers> {
    if (!this.#ports.leads()) return NOBODY;
    try {
      const [webhooks, channels] = await Promise.all([this.#endpoints.read(), this.#channels.read()]);
      this.#receivers = { webhooks, channels };
    } catch (error) {
      this.#warn(error);
    }
    // The lead may have ended meanwhile.
    return this.#ports.leads() ? this.#receivers : NOBODY;
  }

  async #keep(receivers: Receivers): Promise<OutboxFigures> {
    const { calls } = this.#thread;
    const figures = await calls.keep(receivers);
    if (figures !== null) return figures;
    const { port1: here, port2: there } = new MessageChannel();
    this.#port?.close();
    this.#port = here;
    servePort(here, this.#host());
    await calls.open(this.#settings(), there);
    return (await calls.keep(receivers)) ?? { lagsMs: new Map(), attempts: [] };
  }

  #settings(): OutboxSettings {
    const { settings, outbound, digestKey } = this.#parts;
    const { databaseUrl: url, dataDir, publicUrl, pagerdutyUrl, smtp } = settings;
    return {
      place: url === null ? { kind: "sqlite", dataDir } : { kind: "postgres", url },
      digestKey,
      publicUrl,
      pagerdutyUrl,
      smtp,
      ...outbound.dialing,
    };
  }

  #host(): OutboxHost {
    const { store, log } = this.#parts;
    const { deliveries } = store;
    return {
      ...factsOf(store),
      course: async (id) => deliveries.course(id),
      due: async (...asked) => deliveries.due(...asked),
      change: async (change) => deliveries.change(change),
      disable: async (side, id, reason) => {
        const found = side === "webhooks" ? this.#webhook(id) : this.#channels.find(id);
        if (found === null) return;
        const disable = side === "webhooks" ? disableWebhook : disableChannel;
        await disable(this.#ports, found.org, { id: found.id, reason });
      },
      warn: (fault, message) => log.warn({ fault }, message),
    };
  }

  #webhook(id: string): { readonly org: string; readonly id: string } | null {
    const org = this.#endpoints.orgOf(id);
    return org === null ? null : { org, id };
  }

  #warn(error: unknown): void {
    this.#parts.log.warn(
      faultFields(error),
      "who takes deliveries could not be read or told; it is tried again",
    );
  }
}

function factsOf({ approvals, agents, supervision }: Store): ChannelFacts {
  return {
    workflowOf: async (org, id) => (await approvals.approval(org, id))?.workflowId ?? null,
    namespacesOf: async (org, { scope, id }) => {
      if (scope === "session")
        return (await supervision.sessionsNamed(org, id, SESSIONS)).map(({ namespace }) => namespace);
      const found = await agents.agent(org, id);
      return found === null ? [] : [found.namespace];
    },
  };
}
