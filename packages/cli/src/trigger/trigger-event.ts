import type { WebhookType } from "@svc/contract/webhook-event";
import { CommandFailure, type Outcome } from "../frame/exit-code.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";
import { askListening, type SocketAnswer } from "../listen/listen-socket.ts";
import { newSample } from "../listen/run-listen.ts";
import { isDelivered, sendWebhook, webhookSecret } from "../webhooks/send-webhook.ts";

export interface TriggerOptions extends OutputOptions {
  readonly to?: string;
  readonly secretFile?: string;
}

interface Sent extends SocketAnswer {
  /** The secret that was made for this delivery; null: the receiver knows it. */
  readonly secret: string | null;
}

/** Delivers one sample, and says what became of it. @throws CommandFailure `usage` */
export async function triggerEvent(
  type: WebhookType,
  options: TriggerOptions,
  terminal: Terminal,
): Promise<Outcome> {
  const { to } = options;
  const sent =
    to === undefined
      ? await throughListen(type, options, terminal)
      : await directly(type, to, options, terminal);
  const { status, fault, id, ms, secret } = sent;
  const isTaken = isDelivered(sent);
  const what = status === null ? `no answer (${fault ?? ""})` : `answered ${String(status)}`;
  new Output(terminal, options).result({
    text: [
      { text: isTaken ? "delivered" : "not taken", as: isTaken ? "good" : "bad" },
      `  ${type}  ${id}  ${what} after ${String(ms)} ms\n`,
      ...(secret === null ? [] : [`signed with ${secret}\n`]),
    ],
    schema: "svc.cli.trigger/v1",
    json: { type, ...sent },
  });
  return isTaken ? "ok" : "failed";
}

async function throughListen(
  type: WebhookType,
  { secretFile }: TriggerOptions,
  terminal: Terminal,
): Promise<Sent> {
  if (secretFile !== undefined) throw new CommandFailure("usage", "--secret-file needs --to");
  const answer = await askListening(type, terminal);
  if (answer !== null) return { ...answer, secret: null };
  throw new CommandFailure("usage", "no svc-cli listen runs: start one, or name the receiver with --to");
}

async function directly(
  type: WebhookType,
  to: string,
  { secretFile }: TriggerOptions,
  terminal: Terminal,
): Promise<Sent> {
  const secret = webhookSecret(secretFile, terminal);
  const event = newSample(type);
  const delivery = await sendWebhook({ url: new URL(to), secret }, event);
  return { id: event.id, ...delivery, secret: secretFile === undefined ? secret : null };
}
