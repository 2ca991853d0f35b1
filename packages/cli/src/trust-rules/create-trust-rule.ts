import { trustRuleRoutes } from "@svc/api/trust-rule-routes";
import type { Role } from "@svc/contract/role";
import { confirmProtected } from "../connection/confirm-protected.ts";
import { ControlClient } from "../connection/control-client.ts";
import { resolveConnection } from "../connection/resolve-connection.ts";
import { changeWords, sayWhatIsKnown } from "../connection/say-what-is-known.ts";
import type { ServerOptions } from "../connection/server-options.ts";
import { CommandFailure, type Outcome } from "../frame/exit-code.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import { renderMembers } from "../frame/render-members.ts";
import type { Terminal } from "../frame/terminal.ts";
import { trustRuleMembers } from "./trust-rule-text.ts";

export interface CreateRuleOptions extends ServerOptions, OutputOptions {
  readonly issuer?: string;
  readonly audience?: string;
  readonly subject?: string;
  readonly role?: Role;
  readonly claim?: Readonly<Record<string, string>>;
  readonly jwksUri?: string;
  readonly agents?: readonly string[];
  readonly namespaces?: readonly string[];
  readonly environments?: readonly string[];
  /** Seconds. */
  readonly lifetime?: number;
  readonly dryRun: boolean;
  readonly yes: boolean;
}

/** Makes a trust rule, and says whom else it admits. @throws CommandFailure */
export async function createTrustRule(
  name: string,
  options: CreateRuleOptions,
  terminal: Terminal,
): Promise<Outcome> {
  const { agents, namespaces, environments, claim, jwksUri, lifetime } = options;
  const body = {
    name,
    issuer: needed("--issuer", options.issuer),
    audience: needed("--audience", options.audience),
    subject: needed("--subject", options.subject),
    role: needed("--role", options.role),
    claims: claim === undefined ? null : { ...claim },
    jwks_uri: jwksUri ?? null,
    agents: agents === undefined ? null : [...agents],
    namespaces: namespaces === undefined ? null : [...namespaces],
    environments: environments === undefined ? null : [...environments],
    ...(lifetime === undefined ? {} : { lifetime_seconds: lifetime }),
  };
  const output = new Output(terminal, options);
  const connection = await resolveConnection(options, terminal);
  await confirmProtected(connection, `trust tokens of ${body.issuer}`, options, terminal);
  if (options.dryRun) {
    output.result({
      text: `dry run  nothing was changed; this would make the trust rule ${name}\n`,
      schema: "svc.cli.trust-rule/v1",
      json: { dry_run: true, would_create: body },
    });
    return "ok";
  }
  const asked = new ControlClient(connection).ask(trustRuleRoutes.createTrustRule, { body });
  const { body: made } = await sayWhatIsKnown(asked, changeWords("svc-cli trust-rules list"));
  for (const warning of made.warnings) output.warn(warning);
  output.result({
    text: [
      { text: "created", as: "good" },
      `  trust rule ${made.id}\n`,
      ...renderMembers([...trustRuleMembers(made), ["undo", `svc-cli trust-rules remove ${made.id}`]]),
    ],
    schema: "svc.cli.trust-rule/v1",
    json: made,
  });
  return "ok";
}

function needed<Value>(option: string, value: Value | undefined): Value {
  if (value === undefined) throw new CommandFailure("usage", `${option}: expected a value, found none`);
  return value;
}
