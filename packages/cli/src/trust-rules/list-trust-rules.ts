import { trustRuleRoutes } from "@svc/api/trust-rule-routes";
import { MAX_PAGE_SIZE } from "@svc/contract/limits";
import type { TrustRuleAnswer } from "@svc/contract/trust-rule";
import { ControlClient } from "../connection/control-client.ts";
import { everyPage } from "../connection/every-page.ts";
import { resolveConnection } from "../connection/resolve-connection.ts";
import type { ServerOptions } from "../connection/server-options.ts";
import type { Outcome } from "../frame/exit-code.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import { renderTable } from "../frame/render-table.ts";
import type { Terminal } from "../frame/terminal.ts";

export interface ListRulesOptions extends ServerOptions, OutputOptions {
  readonly all: boolean;
}

const HEADINGS = ["ID", "NAME", "ISSUER", "SUBJECT", "ROLE", "STATE"];

/** Lists trust rules, page by page. @throws CommandFailure */
export async function listTrustRules(options: ListRulesOptions, terminal: Terminal): Promise<Outcome> {
  const output = new Output(terminal, options);
  const client = new ControlClient(await resolveConnection(options, terminal));
  const limit = String(MAX_PAGE_SIZE);
  const rules: TrustRuleAnswer[] = [];
  for await (const page of everyPage((cursor) =>
    client.ask(trustRuleRoutes.listTrustRules, { query: { limit, cursor } }),
  ))
    rules.push(...page.trust_rules.filter(({ removed_at }) => options.all || removed_at === null));
  for (const { id, warnings } of rules)
    for (const warning of warnings) output.warn(`trust rule ${id}: ${warning}`);
  output.result({
    text:
      rules.length === 0 ? "no trust rules\n" : renderTable(HEADINGS, rules.map(rowOf), output.isTerminal),
    schema: "svc.cli.trust-rules/v1",
    json: { trust_rules: rules },
    items: rules,
  });
  return "ok";
}

function rowOf({ id, name, issuer, subject, role, removed_at }: TrustRuleAnswer): readonly string[] {
  return [id, name, issuer, subject, role, removed_at === null ? "in force" : `removed ${removed_at}`];
}
