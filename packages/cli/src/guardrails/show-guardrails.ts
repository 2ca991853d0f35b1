import { guardrailRoutes } from "@svc/api/guardrail-routes";
import type { GuardrailRecord } from "@svc/contract/guardrail";
import { MAX_PAGE_SIZE } from "@svc/contract/limits";
import { stringify } from "yaml";
import { ControlClient, everyItem } from "../connection/control-client.ts";
import { resolveConnection } from "../connection/resolve-connection.ts";
import type { ServerOptions } from "../connection/server-options.ts";
import type { Outcome } from "../frame/exit-code.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import { renderTable } from "../frame/tables.ts";
import type { Terminal } from "../frame/terminal.ts";
import { definitionOf } from "./definition-of.ts";

export type GuardrailsOptions = ServerOptions & OutputOptions;

const HEADINGS = ["ID", "VERSION", "DETECTORS", "PATTERNS", "ALLOWED", "DESCRIPTION"];

/** Lists guardrails, page by page. @throws CommandFailure */
export async function listGuardrails(options: GuardrailsOptions, terminal: Terminal): Promise<Outcome> {
  const output = new Output(terminal, options);
  const client = new ControlClient(await resolveConnection(options, terminal));
  const limit = String(MAX_PAGE_SIZE);
  const guardrails = await everyItem(
    (cursor) => client.ask(guardrailRoutes.listGuardrails, { query: { limit, cursor } }),
    (page) => page.guardrails,
  );
  output.result({
    text:
      guardrails.length === 0
        ? "no guardrails\n"
        : renderTable(HEADINGS, guardrails.map(rowOf), output.isTerminal),
    schema: "svc.cli.guardrails/v2",
    json: { guardrails },
    items: guardrails,
  });
  return "ok";
}

function rowOf({ id, version, detectors, patterns, allow, description }: GuardrailRecord): readonly string[] {
  const names = patterns.map(({ name }) => name);
  const lists = [detectors, names].map((list) => list.join(", "));
  return [id, String(version), ...lists, String(allow.length), description ?? ""];
}

export interface ShowOptions extends GuardrailsOptions {
  readonly at?: number;
}

/** Prints a guardrail in the form of the file that `guardrails put` takes. @throws CommandFailure */
export async function showGuardrail(
  id: string,
  { at, ...options }: ShowOptions,
  terminal: Terminal,
): Promise<Outcome> {
  const client = new ControlClient(await resolveConnection(options, terminal));
  const query = at === undefined ? {} : { version: String(at) };
  const { body } = await client.ask(guardrailRoutes.getGuardrail, { params: { guardrail_id: id }, query });
  new Output(terminal, options).result({
    text: stringify({ [id]: definitionOf(body) }),
    schema: "svc.cli.guardrail/v1",
    json: body,
  });
  return "ok";
}
