import { resolve } from "node:path/posix";
import { notificationChannelRoutes } from "@svc/api/notification-channel-routes";
import { CHANNEL_SET } from "@svc/contract/channel-kinds";
import { type NotificationChannel, parseChannelUpdate } from "@svc/contract/notification-channel";
import type { JsonObject } from "@svc/text/json-value";
import { confirmProtected } from "../connection/change-options.ts";
import { ControlClient } from "../connection/control-client.ts";
import { readKeyFile, readKeyFromStdin } from "../connection/read-key.ts";
import { resolveConnection } from "../connection/resolve-connection.ts";
import { changeWords, sayWhatIsKnown } from "../connection/say-what-is-known.ts";
import { CommandFailure, type Outcome } from "../frame/exit-code.ts";
import { Output } from "../frame/output.ts";
import { STDIN } from "../frame/read-input.ts";
import { renderMembers } from "../frame/tables.ts";
import type { Terminal } from "../frame/terminal.ts";
import { webhookSecret } from "../webhooks/send-webhook.ts";
import { type ChannelsOptions, whereTo } from "./channels.ts";

export interface ChannelChangeOptions extends ChannelsOptions {
  readonly dryRun: boolean;
  readonly yes: boolean;
}

export interface PutChannelOptions extends ChannelChangeOptions {
  readonly slackFile?: string;
  readonly webhookFile?: string;
  readonly pagerdutyFile?: string;
  readonly email?: readonly string[];
  readonly keep: boolean;
  readonly secretFile?: string;
  readonly description?: string;
}

/** Options whose file holds what is secret: the command line stands in the list of processes. */
const FILES = [
  { member: "slack", option: "--slack-file", what: "the address of an incoming webhook" },
  { member: "webhook", option: "--webhook-file", what: "the address of a webhook" },
  { member: "pagerduty", option: "--pagerduty-file", what: "an integration key of PagerDuty" },
] as const;

const LOOK = changeWords("svc-cli channels list");

/** Makes a channel, or replaces all that it is. @throws CommandFailure */
export async function putChannel(
  id: string,
  options: PutChannelOptions,
  terminal: Terminal,
): Promise<Outcome> {
  const settings = await settingsOf(options, terminal);
  const connection = await resolveConnection(options, terminal);
  const change = `set up notification channel ${id}`;
  await confirmProtected(connection, change, options, terminal);
  const client = new ControlClient(connection);
  const stored = options.keep ? await storedSettings(client, id) : {};
  if (options.dryRun) {
    const text = `dry run  nothing was changed; this would ${change}\n`;
    const json = { dry_run: true, would: change };
    new Output(terminal, options).result({ text, schema: "svc.cli.channel/v1", json });
    return "ok";
  }
  const question = { params: { notification_channel_id: id }, body: { ...stored, ...settings } };
  const asked = client.ask(notificationChannelRoutes.putNotificationChannel, question);
  return say("set up", (await sayWhatIsKnown(asked, LOOK)).body, options, terminal);
}

/** Removes a channel that nothing names. @throws CommandFailure */
export async function removeChannel(
  id: string,
  options: ChannelChangeOptions,
  terminal: Terminal,
): Promise<Outcome> {
  const connection = await resolveConnection(options, terminal);
  await confirmProtected(connection, `remove notification channel ${id}`, options, terminal);
  const client = new ControlClient(connection);
  const question = { params: { notification_channel_id: id } };
  if (options.dryRun) {
    const { body } = await client.ask(notificationChannelRoutes.getNotificationChannel, question);
    return say("dry run  nothing was changed; this would remove", body, options, terminal);
  }
  const asked = client.ask(notificationChannelRoutes.deleteNotificationChannel, question);
  return say("removed", (await sayWhatIsKnown(asked, LOOK)).body, options, terminal);
}

/** What the options say. Nothing is asked or read before it is clear that they fit together. */
async function settingsOf(options: PutChannelOptions, terminal: Terminal): Promise<JsonObject> {
  const { email, keep, secretFile, description, slackFile, webhookFile, pagerdutyFile } = options;
  const files = { slack: slackFile, webhook: webhookFile, pagerduty: pagerdutyFile };
  const given = FILES.filter(({ member }) => files[member] !== undefined);
  const names = [
    ...given.map(({ option }) => option),
    ...(email === undefined ? [] : ["--email"]),
    ...(keep ? ["--keep"] : []),
  ];
  if (names.length !== 1)
    throw new CommandFailure(
      "usage",
      `expected one of ${FILES.map(({ option }) => option).join(", ")}, --email and --keep, found ` +
        `${names.join(" and ") || "none of them"}. A channel has one receiver: make one more for the next`,
    );
  if (secretFile !== undefined && webhookFile === undefined)
    throw new CommandFailure(
      "usage",
      "--secret-file: expected only with --webhook-file, because only deliveries to webhooks are signed",
    );
  const [file] = given;
  return {
    ...(file === undefined
      ? {}
      : { [file.member]: await addressIn(files[file.member] ?? "", file, terminal) }),
    ...(email === undefined ? {} : { email: [...email] }),
    ...(secretFile === undefined ? {} : { secret: webhookSecret(secretFile, terminal) }),
    ...(description === undefined ? {} : { description }),
  };
}

async function addressIn(
  path: string,
  { member, option, what }: (typeof FILES)[number],
  terminal: Terminal,
): Promise<string> {
  const text =
    path === STDIN
      ? await readKeyFromStdin(terminal, { option, what })
      : readKeyFile(resolve(terminal.workingDirectory, path), what);
  // The refusal of the server would show the text, which may be the secret with a slip.
  const parsed = parseChannelUpdate({ [member]: text });
  if (parsed.ok) return text;
  const expected = parsed.errors.map((error) => error.expected).join("; ");
  throw new CommandFailure("usage", `${option}: expected ${expected}, found another text (not shown)`);
}

/** A channel as it is, in the form of a request, in which `set` stands for what is secret. */
async function storedSettings(client: ControlClient, id: string): Promise<JsonObject> {
  const params = { notification_channel_id: id };
  const { body } = await client.ask(notificationChannelRoutes.getNotificationChannel, { params });
  const { kind, email, description } = body;
  return { description, ...(kind === "email" ? { email: [...(email ?? [])] } : { [kind]: CHANNEL_SET }) };
}

function say(
  done: string,
  channel: NotificationChannel,
  options: ChannelChangeOptions,
  terminal: Terminal,
): Outcome {
  const { id, kind, description } = channel;
  const rest = description === null ? [] : ([["description", description]] as const);
  new Output(terminal, options).result({
    text: [
      `${done}  notification channel ${id}\n`,
      ...renderMembers([["kind", kind], ["to", whereTo(channel)], ...rest]),
    ],
    schema: "svc.cli.channel/v1",
    json: { ...channel, dry_run: options.dryRun },
  });
  return "ok";
}
