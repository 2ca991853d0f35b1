import type { JsonAnswerOf } from "@svc/api/route";
import { webhookRoutes } from "@svc/api/webhook-routes";
import { confirmProtected } from "../connection/change-options.ts";
import { ControlClient } from "../connection/control-client.ts";
import { resolveConnection } from "../connection/resolve-connection.ts";
import { changeWords, sayWhatIsKnown } from "../connection/say-what-is-known.ts";
import { CommandFailure, type Outcome } from "../frame/exit-code.ts";
import { Output } from "../frame/output.ts";
import { renderMembers } from "../frame/tables.ts";
import type { Terminal } from "../frame/terminal.ts";
import { openSecretOutput, type SecretOutput } from "../keys/secret-output.ts";
import { type WebhookChangeOptions, webhookMembers } from "./webhooks.ts";

type Answer = JsonAnswerOf<typeof webhookRoutes.rotateWebhookSecret>["body"];

interface SecretIssue {
  readonly options: WebhookChangeOptions;
  readonly terminal: Terminal;
  /** For a question: `give webhook x a new secret`. */
  readonly change: string;
  readonly done: string;
  readonly ask: (client: ControlClient) => Promise<{ readonly body: Answer }>;
}

/** Makes an endpoint, or gives it another secret, which goes to a file or is shown this once. */
async function issueWebhookSecret(issue: SecretIssue): Promise<Outcome> {
  const { options, terminal, change, done } = issue;
  const output = new Output(terminal, options);
  const connection = await resolveConnection(options, terminal);
  await confirmProtected(connection, change, options, terminal);
  if (options.dryRun) {
    const text = `dry run  nothing was changed; this would ${change}\n`;
    output.result({ text, schema: "svc.cli.webhook/v1", json: { dry_run: true, would: change } });
    return "ok";
  }
  const place = openSecretOutput(options.out, false, terminal);
  const { kind, ...made } = await asked(issue, new ControlClient(connection)).catch((error: unknown) => {
    place.drop();
    throw error;
  });
  const secret = "secret" in made ? made.secret : null;
  if (kind === "repeated" || (options.out !== undefined && secret === null)) place.drop();
  if (kind === "repeated")
    throw new CommandFailure(
      "unreachable",
      `webhook ${made.id} is there, but the answer with its secret was lost. ` +
        `svc-cli webhooks rotate-secret ${made.id} --overlap 0s makes another one.`,
    );
  if (secret !== null) place.keep(secret);
  output.result({
    text: [
      { text: done, as: "good" },
      `  webhook ${made.id}\n`,
      ...renderMembers([...webhookMembers(made), ...secretMember(place, secret)]),
    ],
    schema: "svc.cli.webhook/v1",
    json: { ...made, secret: place.path === null ? secret : undefined, secret_file: place.path },
  });
  return "ok";
}

async function asked({ ask }: SecretIssue, client: ControlClient): Promise<Answer> {
  return (await sayWhatIsKnown(ask(client), changeWords("svc-cli webhooks list"))).body;
}

function secretMember({ path }: SecretOutput, secret: string | null): (readonly [string, string])[] {
  if (secret === null) return [];
  return [path === null ? ["secret", `${secret} (shown this once)`] : ["secret in", path]];
}

export interface AddWebhookOptions extends WebhookChangeOptions {
  readonly events?: readonly string[];
  readonly agents?: readonly string[];
  readonly namespaces?: readonly string[];
  readonly decisions?: readonly string[];
  readonly description?: string;
  readonly disabled: boolean;
}

/** Registers an endpoint. @throws CommandFailure */
export async function addWebhook(
  url: string,
  options: AddWebhookOptions,
  terminal: Terminal,
): Promise<Outcome> {
  const { events = ["*"], agents, namespaces, decisions, description, disabled } = options;
  const body = {
    url,
    events: [...events],
    agents: listOrNull(agents),
    namespaces: listOrNull(namespaces),
    decisions: listOrNull(decisions),
    description: description ?? null,
    enabled: !disabled,
  };
  if (options.dryRun) return tryWebhook(body, options, terminal);
  return issueWebhookSecret({
    options,
    terminal,
    change: `deliver ${events.join(", ")} to ${url}`,
    done: "created",
    ask: async (client) => {
      const { body: made } = await client.ask(webhookRoutes.createWebhook, { body });
      if (made.kind === "dry_run")
        throw new CommandFailure("unreachable", "the server made a dry run, so nothing was registered");
      return { body: made };
    },
  });
}

/** Has the server judge what would be registered: the address, the namespaces and the rights of the key. */
async function tryWebhook(
  request: { readonly url: string; readonly events: readonly string[] },
  options: AddWebhookOptions,
  terminal: Terminal,
): Promise<Outcome> {
  const client = new ControlClient(await resolveConnection(options, terminal));
  const query = { dry_run: "true" };
  const { body } = await client.ask(webhookRoutes.createWebhook, { query, body: { ...request } });
  const would = `deliver ${request.events.join(", ")} to ${request.url}`;
  new Output(terminal, options).result({
    text: `dry run  nothing was changed; this would ${would}\n`,
    schema: "svc.cli.webhook/v1",
    json: { ...body, would },
  });
  return "ok";
}

export interface RotateWebhookOptions extends WebhookChangeOptions {
  /** Seconds. */
  readonly overlap?: number;
  readonly activate: boolean;
}

/** Makes the next secret of an endpoint, or lets it take over. @throws CommandFailure */
export async function rotateWebhook(
  id: string,
  options: RotateWebhookOptions,
  terminal: Terminal,
): Promise<Outcome> {
  const { overlap, activate } = options;
  const body = { activate, ...(overlap === undefined ? {} : { overlap_seconds: overlap }) };
  return issueWebhookSecret({
    options,
    terminal,
    change: activate ? `end the present secret of webhook ${id}` : `give webhook ${id} a new secret`,
    done: activate ? "activated" : "rotated",
    ask: (client) => client.ask(webhookRoutes.rotateWebhookSecret, { params: { webhook_id: id }, body }),
  });
}

function listOrNull(names: readonly string[] | undefined): string[] | null {
  return names === undefined ? null : [...names];
}
