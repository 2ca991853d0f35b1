import { policyRoutes } from "@svc/api/policy-routes";
import type { JsonAnswerOf } from "@svc/api/route";
import { MAX_PAGE_SIZE } from "@svc/contract/limits";
import { ControlClient } from "../connection/control-client.ts";
import { everyPage } from "../connection/every-page.ts";
import { resolveConnection } from "../connection/resolve-connection.ts";
import type { ServerOptions } from "../connection/server-options.ts";
import type { Outcome } from "../frame/exit-code.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import { renderTable } from "../frame/render-table.ts";
import type { Terminal } from "../frame/terminal.ts";

/** What `policies list` selects. */
export interface ListOptions extends ServerOptions, OutputOptions {
  readonly mode?: string;
  readonly agent?: string;
  readonly namespace?: string;
  readonly search?: string;
}

type Policy = JsonAnswerOf<typeof policyRoutes.listPolicies>["body"]["policies"][number];

/** Lists every policy that is selected, page by page. @throws CommandFailure */
export async function listPolicies(options: ListOptions, terminal: Terminal): Promise<Outcome> {
  const output = new Output(terminal, options);
  const { mode, agent, namespace, search: q } = options;
  const client = new ControlClient(await resolveConnection(options, terminal));
  const query = { mode, agent, namespace, q, limit: String(MAX_PAGE_SIZE) };
  const policies: Policy[] = [];
  const pages = everyPage((cursor) => client.ask(policyRoutes.listPolicies, { query: { ...query, cursor } }));
  for await (const page of pages) {
    policies.push(...page.policies);
    if (page.next_cursor !== null) output.progress(`${String(policies.length)} policies read`);
  }
  output.result({
    text:
      policies.length === 0 ? "no policies\n" : renderTable(HEADINGS, policies.map(rowOf), output.isTerminal),
    schema: "svc.cli.policies/v1",
    json: { policies },
    items: policies,
  });
  return "ok";
}

const HEADINGS = ["POLICY", "VERSION", "MODE", "STATE", "SINCE", "BY"];

function rowOf({ id, version, mode, enabled, created_at, created_by }: Policy): readonly string[] {
  return [id, String(version), mode, enabled ? "enabled" : "disabled", created_at, created_by];
}
