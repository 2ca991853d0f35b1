import { randomBytes } from "node:crypto";
import type { AuditRow } from "@svc/contract/audit-row";
import {
  sampleWebhookEvent,
  WEBHOOK_EVENTS,
  type WebhookEvent,
  type WebhookType,
} from "@svc/contract/webhook-event";
import { webhookEventsOfRow } from "@svc/contract/webhook-events-of-row";
import { parseJson } from "@svc/text/parse-json";
import { followEvents, type ServerEvent } from "../connection/follow-events.ts";
import { resolveConnection } from "../connection/resolve-connection.ts";
import type { ServerOptions } from "../connection/server-options.ts";
import type { Outcome } from "../frame/exit-code.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { Text } from "../frame/text.ts";
import {
  type Delivery,
  describeDelivery,
  sendWebhook,
  type WebhookEndpoint,
  webhookSecret,
} from "../webhooks/send-webhook.ts";
import { openListenSocket } from "./listen-socket.ts";

export interface ListenOptions extends ServerOptions, OutputOptions {
  /** Left out: events are only shown. */
  readonly forwardTo?: string;
  readonly events: readonly WebhookType[];
  readonly secretFile?: string;
}

/** Bytes of randomness in the id of a sample. */
const NAME_BYTES = 8;

/** Delivers events until it is interrupted. @throws CommandFailure without the server */
export async function runListen(options: ListenOptions, terminal: Terminal): Promise<Outcome> {
  const { forwardTo, events, secretFile } = options;
  const secret = webhookSecret(secretFile, terminal);
  const endpoint = forwardTo === undefined ? null : { url: new URL(forwardTo), secret };
  const over = new AbortController();
  const isOwn = secretFile === undefined;
  const listener = new Listener(
    new Output(terminal, options),
    { endpoint, isOwn, over: over.signal },
    events,
  );
  const connection = await resolveConnection(options, terminal);
  const release = terminal.onInterrupt?.(() => over.abort());
  const socket = await openListenSocket(terminal, (type) => listener.trigger(type));
  try {
    let isFirst = true;
    const onOpen = (): void => {
      if (isFirst) listener.opened(connection.url, socket !== null);
      isFirst = false;
    };
    const { signal } = over;
    const onCut = (why: string): void => listener.cut(why);
    const query = { kind: kindsOf(events) };
    for await (const event of followEvents(connection, { query, signal, onOpen, onCut }))
      await listener.take(event);
    return "interrupted";
  } finally {
    socket?.close();
    release?.();
  }
}

interface Target {
  readonly endpoint: WebhookEndpoint | null;
  /** Whether this command made the secret, which is then shown once. */
  readonly isOwn: boolean;
  readonly over: AbortSignal;
}

/** Turns what happens into deliveries, one after another, and says what became of each. */
class Listener {
  readonly #output: Output;
  readonly #target: Target;
  readonly #types: ReadonlySet<WebhookType>;

  constructor(output: Output, target: Target, types: readonly WebhookType[]) {
    this.#output = output;
    this.#target = target;
    this.#types = new Set(types);
  }

  opened(server: URL, takesSamples: boolean): void {
    const samples = takesSamples
      ? "svc-cli trigger sends samples through this command"
      : "another svc-cli listen takes the samples of svc-cli trigger";
    const { endpoint, isOwn } = this.#target;
    const [url, secret] = [endpoint?.url.href ?? null, isOwn ? (endpoint?.secret ?? null) : null];
    const shown = secret === null ? "" : `\nsecret  ${secret}`;
    const where = url === null ? "events are shown, and not delivered" : `${url}${shown}`;
    const json = { server: server.origin, url, secret, events: [...this.#types] };
    this.#say("listening", `${server.origin} -> ${where}\n${samples}\n`, json);
  }

  cut(why: string): void {
    const text = [
      { text: "cut", as: "warning" },
      `  ${why}; the stream goes on behind the last event\n`,
    ] as const;
    this.#say("cut", text, { why });
  }

  async take({ name, data }: ServerEvent): Promise<void> {
    if (name === "gap") {
      const text = [{ text: "gap", as: "warning" }, `  events are missing: ${data}\n`] as const;
      return this.#say("gap", text, { gap: parseJson(data) });
    }
    const placed = parseJson(data) as { readonly id: string; readonly row: AuditRow };
    for (const event of webhookEventsOfRow(placed))
      if (this.#types.has(event.type) && !this.#target.over.aborted) await this.#deliver(event);
  }

  async trigger(type: WebhookType): Promise<Delivery & Pick<WebhookEvent, "id">> {
    const event = newSample(type);
    return { id: event.id, ...(await this.#deliver(event)) };
  }

  async #deliver(event: WebhookEvent): Promise<Delivery> {
    const { endpoint, over } = this.#target;
    const delivery = endpoint === null ? NOWHERE : await sendWebhook(endpoint, event, over);
    const { id, type, timestamp } = event;
    this.#say("delivery", describeDelivery(event, delivery), { id, type, timestamp, ...delivery });
    return delivery;
  }

  #say(event: string, text: Text, json: object): void {
    this.#output.result({ text, schema: "svc.cli.listen/v1", json: { event, ...json } });
  }
}

const NOWHERE: Delivery = { delivery_id: "none", status: null, fault: "no --forward-to", ms: 0 };

/** An event about things that do not exist. */
export function newSample(type: WebhookType): WebhookEvent {
  const id = `evt_sample-${randomBytes(NAME_BYTES).toString("hex")}`;
  return sampleWebhookEvent(type, { id, timestamp: new Date().toISOString(), org_id: "default" });
}

/** The kinds of rows that these events are made of, for the query of the event stream. */
function kindsOf(types: readonly WebhookType[]): string {
  const names = types.flatMap((type) => WEBHOOK_EVENTS[type].rows);
  return [...new Set(names.map((name) => name.replace(/\..*/, "")))].join(",");
}
