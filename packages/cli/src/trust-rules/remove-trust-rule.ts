import { trustRuleRoutes } from "@svc/api/trust-rule-routes";
import { confirmProtected } from "../connection/confirm-protected.ts";
import { ControlClient } from "../connection/control-client.ts";
import { resolveConnection } from "../connection/resolve-connection.ts";
import { changeWords, sayWhatIsKnown } from "../connection/say-what-is-known.ts";
import type { ServerOptions } from "../connection/server-options.ts";
import type { Outcome } from "../frame/exit-code.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import { renderMembers } from "../frame/render-members.ts";
import type { Terminal } from "../frame/terminal.ts";
import { trustRuleMembers } from "./trust-rule-text.ts";

export interface RemoveRuleOptions extends ServerOptions, OutputOptions {
  readonly dryRun: boolean;
  readonly yes: boolean;
}

/** Ends a trust rule. @throws CommandFailure */
export async function removeTrustRule(
  id: string,
  options: RemoveRuleOptions,
  terminal: Terminal,
): Promise<Outcome> {
  const output = new Output(terminal, options);
  const connection = await resolveConnection(options, terminal);
  await confirmProtected(connection, `remove the trust rule ${id}`, options, terminal);
  const client = new ControlClient(connection);
  const params = { trust_rule_id: id };
  const asked = options.dryRun
    ? client.ask(trustRuleRoutes.getTrustRule, { params })
    : sayWhatIsKnown(
        client.ask(trustRuleRoutes.removeTrustRule, { params }),
        changeWords("svc-cli trust-rules list"),
      );
  const { body: rule } = await asked;
  const done = options.dryRun ? "dry run  nothing was changed; this would remove" : "removed ";
  output.result({
    text: [`${done} trust rule ${id}\n`, ...renderMembers(trustRuleMembers(rule))],
    schema: "svc.cli.trust-rule/v1",
    json: { ...rule, dry_run: options.dryRun },
  });
  return "ok";
}
