import { resolve } from "node:path/posix";
import { integrationRoutes } from "@svc/api/integration-routes";
import { type IntegrationKind, SECRET_FIELDS } from "@svc/contract/integration-kinds";
import type { Integration } from "@svc/contract/integration-record";
import type { JsonObject } from "@svc/text/json-value";
import { confirmProtected } from "../connection/change-options.ts";
import { ControlClient } from "../connection/control-client.ts";
import { readTextFile } from "../connection/read-key.ts";
import { resolveConnection } from "../connection/resolve-connection.ts";
import { changeWords, sayWhatIsKnown } from "../connection/say-what-is-known.ts";
import { CommandFailure, type Outcome } from "../frame/exit-code.ts";
import { Output } from "../frame/output.ts";
import { renderMembers } from "../frame/tables.ts";
import type { Terminal } from "../frame/terminal.ts";
import { type IntegrationsOptions, integrationMembers } from "./integrations.ts";

export interface IntegrationChangeOptions extends IntegrationsOptions {
  readonly dryRun: boolean;
  readonly yes: boolean;
}

interface FieldOptions extends IntegrationChangeOptions {
  readonly name?: string;
  readonly description?: string;
  readonly to?: string;
  readonly host?: string;
  readonly port?: number;
  readonly format?: string;
  readonly region?: string;
  readonly bucket?: string;
  readonly prefix?: string;
  readonly accessKeyId?: string;
  readonly repository?: string;
  readonly secretFile?: string;
}

export interface AddIntegrationOptions extends FieldOptions {
  readonly disabled: boolean;
}

export interface UpdateIntegrationOptions extends FieldOptions {
  readonly enable: boolean;
  readonly disable: boolean;
}

const LOOK = changeWords("svc-cli integrations list");

/** Makes an integration. @throws CommandFailure */
export async function addIntegration(
  kind: IntegrationKind,
  options: AddIntegrationOptions,
  terminal: Terminal,
): Promise<Outcome> {
  if (options.name === undefined)
    throw new CommandFailure("usage", "--name: expected what people call the integration");
  const body = {
    kind,
    ...fieldsOf(options),
    ...secretOf(kind, options, terminal),
    ...(options.disabled ? { enabled: false } : {}),
  };
  const change = `connect ${kind} ${options.name}`;
  const connection = await resolveConnection(options, terminal);
  await confirmProtected(connection, change, options, terminal);
  if (options.dryRun) return sayWould(change, options, terminal);
  const asked = new ControlClient(connection).ask(integrationRoutes.createIntegration, { body });
  return say("created", (await sayWhatIsKnown(asked, LOOK)).body, options, terminal);
}

/** Changes what the options name. @throws CommandFailure */
export async function updateIntegration(
  id: string,
  options: UpdateIntegrationOptions,
  terminal: Terminal,
): Promise<Outcome> {
  const { enable, disable } = options;
  if (enable && disable)
    throw new CommandFailure("usage", "expected one of --enable and --disable, found both");
  const connection = await resolveConnection(options, terminal);
  const change = `change integration ${id}`;
  await confirmProtected(connection, change, options, terminal);
  const client = new ControlClient(connection);
  const params = { integration_id: id };
  // The kind says which member is the secret.
  const { body: before } = await client.ask(integrationRoutes.getIntegration, { params });
  const body = {
    ...fieldsOf(options),
    ...secretOf(before.kind, options, terminal),
    ...(enable || disable ? { enabled: enable } : {}),
  };
  if (Object.keys(body).length === 0)
    throw new CommandFailure("usage", "expected at least one option that says what is to change");
  if (options.dryRun) return sayWould(`${change}: ${Object.keys(body).join(", ")}`, options, terminal);
  const asked = client.ask(integrationRoutes.updateIntegration, { params, body });
  return say("updated", (await sayWhatIsKnown(asked, LOOK)).body, options, terminal);
}

/** Removes an integration. @throws CommandFailure */
export async function removeIntegration(
  id: string,
  options: IntegrationChangeOptions,
  terminal: Terminal,
): Promise<Outcome> {
  const connection = await resolveConnection(options, terminal);
  await confirmProtected(connection, `remove integration ${id}`, options, terminal);
  const client = new ControlClient(connection);
  const question = { params: { integration_id: id } };
  if (options.dryRun) {
    const { body } = await client.ask(integrationRoutes.getIntegration, question);
    return say("dry run  nothing was changed; this would remove", body, options, terminal);
  }
  const asked = client.ask(integrationRoutes.deleteIntegration, question);
  return say("removed", (await sayWhatIsKnown(asked, LOOK)).body, options, terminal);
}

function fieldsOf(options: FieldOptions): JsonObject {
  const { name, description, to: url, host, port, format, region, bucket, prefix, repository } = options;
  const all = { name, description, url, host, port, format, region, bucket, prefix, repository };
  const given = Object.entries({ ...all, access_key_id: options.accessKeyId });
  return Object.fromEntries(given.flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])));
}

/** The command line stands in the list of processes, so the secret comes from a file. */
function secretOf(
  kind: IntegrationKind,
  { secretFile }: FieldOptions,
  { workingDirectory }: Terminal,
): JsonObject {
  if (secretFile === undefined) return {};
  const field = SECRET_FIELDS[kind];
  if (field === null) throw new CommandFailure("usage", `--secret-file: ${kind} has no secret`);
  return { [field]: readTextFile(resolve(workingDirectory, secretFile), `the ${field} of ${kind}`) };
}

function sayWould(change: string, options: IntegrationChangeOptions, terminal: Terminal): Outcome {
  const text = `dry run  nothing was changed; this would ${change}\n`;
  const json = { dry_run: true, would: change };
  new Output(terminal, options).result({ text, schema: "svc.cli.integration/v1", json });
  return "ok";
}

function say(
  done: string,
  integration: Integration,
  options: IntegrationChangeOptions,
  terminal: Terminal,
): Outcome {
  new Output(terminal, options).result({
    text: [`${done}  integration ${integration.id}\n`, ...renderMembers(integrationMembers(integration))],
    schema: "svc.cli.integration/v1",
    json: { ...integration, dry_run: options.dryRun },
  });
  return "ok";
}
