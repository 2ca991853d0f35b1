import { integrationRoutes } from "@svc/api/integration-routes";
import type { Integration, IntegrationHealth, RepositoryFacts } from "@svc/contract/integration-record";
import { MAX_PAGE_SIZE } from "@svc/contract/limits";
import { ControlClient, everyItem } from "../connection/control-client.ts";
import { resolveConnection } from "../connection/resolve-connection.ts";
import type { ServerOptions } from "../connection/server-options.ts";
import type { Outcome } from "../frame/exit-code.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import { renderMembers, renderTable } from "../frame/tables.ts";
import type { Terminal } from "../frame/terminal.ts";

export type IntegrationsOptions = ServerOptions & OutputOptions;

const HEADINGS = ["ID", "KIND", "TO", "STATE", "NAME"];

/** Lists integrations, page by page. @throws CommandFailure */
export async function listIntegrations(options: IntegrationsOptions, terminal: Terminal): Promise<Outcome> {
  const output = new Output(terminal, options);
  const client = new ControlClient(await resolveConnection(options, terminal));
  const limit = String(MAX_PAGE_SIZE);
  const integrations = await everyItem(
    (cursor) => client.ask(integrationRoutes.listIntegrations, { query: { limit, cursor } }),
    (page) => page.integrations,
  );
  const rows = integrations.map((each) => [each.id, each.kind, whereTo(each), stateOf(each), each.name]);
  output.result({
    text: rows.length === 0 ? "no integrations\n" : renderTable(HEADINGS, rows, output.isTerminal),
    schema: "svc.cli.integrations/v1",
    json: { integrations },
    items: integrations,
  });
  return "ok";
}

/** Shows one with its health. @throws CommandFailure */
export async function showIntegration(
  id: string,
  options: IntegrationsOptions,
  terminal: Terminal,
): Promise<Outcome> {
  const client = new ControlClient(await resolveConnection(options, terminal));
  const { body } = await client.ask(integrationRoutes.getIntegration, { params: { integration_id: id } });
  new Output(terminal, options).result({
    text: [
      `integration ${id}\n`,
      ...renderMembers([
        ...integrationMembers(body),
        ...(body.health === null ? [] : healthMembers(body.health)),
      ]),
    ],
    schema: "svc.cli.integration/v1",
    json: body,
  });
  return "ok";
}

/** Sends a sample row or reads a repository, and says what came of it. @throws CommandFailure */
export async function testIntegration(
  id: string,
  options: IntegrationsOptions,
  terminal: Terminal,
): Promise<Outcome> {
  const client = new ControlClient(await resolveConnection(options, terminal));
  const { body } = await client.ask(integrationRoutes.testIntegration, { params: { integration_id: id } });
  const { succeeded, status, fault, latency_ms, facts } = body;
  const what = fault ?? (status === null ? "taken" : `answered ${String(status)}`);
  new Output(terminal, options).result({
    text: [
      { text: succeeded ? "works" : "failed", as: succeeded ? "good" : "bad" },
      `  test of ${id}  ${what} after ${String(latency_ms)} ms\n`,
      ...(facts === null ? [] : renderMembers(factMembers(facts))),
    ],
    schema: "svc.cli.integration-test/v1",
    json: body,
  });
  return succeeded ? "ok" : "failed";
}

/** An integration as lines, without its health. */
export function integrationMembers(integration: Integration): (readonly [string, string])[] {
  const { kind, name, description, format } = integration;
  return [
    ["name", name],
    ["kind", kind],
    ["to", whereTo(integration)],
    ["state", stateOf(integration)],
    ...(format === undefined ? [] : ([["format", format]] as const)),
    ...(description === null ? [] : ([["description", description]] as const)),
  ];
}

function healthMembers(health: IntegrationHealth): (readonly [string, string])[] {
  const { state, last_error, next_attempt_at, unsent, unsent_is_complete, lag_seconds } = health;
  return [
    ["health", state],
    [
      "unsent",
      `${String(unsent)}${unsent_is_complete ? "" : " or more"} rows, ${String(lag_seconds)} s behind`,
    ],
    ["sent", `${String(health.rows_sent)} rows; lost ${String(health.rows_lost)}`],
    ...(last_error === null ? [] : ([["last error", last_error]] as const)),
    ...(next_attempt_at === null ? [] : ([["sent again", next_attempt_at]] as const)),
  ];
}

function factMembers(facts: RepositoryFacts): (readonly [string, string])[] {
  const { head_commit, workflows, token_can_write } = facts;
  const signature = head_commit.signature_verified
    ? "verified"
    : `not verified: ${head_commit.signature_reason}`;
  return [
    ["repository", facts.repository],
    ["branch", `${facts.default_branch} at ${head_commit.sha}`],
    ["signature", signature],
    ["workflows", workflows.map(({ path }) => path).join(", ")],
    ...(token_can_write ? ([["token", "may write; give one that only reads"]] as const) : []),
  ];
}

function whereTo({ url, host, port, bucket, repository }: Integration): string {
  if (host !== undefined) return `${host}:${String(port ?? "")}`;
  const place = bucket ?? repository;
  return place === undefined ? (url ?? "") : `${url ?? ""}/${place}`;
}

function stateOf({ enabled }: Integration): string {
  return enabled === false ? "disabled" : "in use";
}
