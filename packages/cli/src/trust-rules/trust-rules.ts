import { trustRuleRoutes } from "@svc/api/trust-rule-routes";
import { MAX_PAGE_SIZE } from "@svc/contract/limits";
import type { Role } from "@svc/contract/role";
import type { TrustRuleAnswer } from "@svc/contract/trust-rule";
import { confirmProtected } from "../connection/change-options.ts";
import { ControlClient, everyItem } from "../connection/control-client.ts";
import { resolveConnection } from "../connection/resolve-connection.ts";
import { changeWords, sayWhatIsKnown } from "../connection/say-what-is-known.ts";
import type { ServerOptions } from "../connection/server-options.ts";
import { CommandFailure, type Outcome } from "../frame/exit-code.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import { type Member, renderMembers, renderTable } from "../frame/tables.ts";
import type { Terminal } from "../frame/terminal.ts";

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

export interface ListRulesOptions extends ServerOptions, OutputOptions {
  readonly all: boolean;
}

const HEADINGS = ["ID", "NAME", "ISSUER", "SUBJECT", "ROLE", "STATE"];

/** Lists trust rules, page by page. @throws CommandFailure */
export async function listTrustRules(options: ListRulesOptions, terminal: Terminal): Promise<Outcome> {
  const output = new Output(terminal, options);
  const client = new ControlClient(await resolveConnection(options, terminal));
  const limit = String(MAX_PAGE_SIZE);
  const rules = await everyItem(
    (cursor) => client.ask(trustRuleRoutes.listTrustRules, { query: { limit, cursor } }),
    ({ trust_rules: all }) => all.filter(({ removed_at }) => options.all || removed_at === null),
  );
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

/** Which tokens a rule admits, and what their keys may do. */
function trustRuleMembers(rule: TrustRuleAnswer): Member[] {
  const { name, issuer, audience, subject, claims, role, agents, namespaces, environments } = rule;
  return [
    ["name", name],
    ["issuer", issuer],
    ["audience", audience],
    ["subject", subject],
    ["claims", claimsText(claims)],
    ["environments", environments?.join(", ") ?? "any or none"],
    ["role", role],
    ["agents", agents?.join(", ") ?? "every agent"],
    ["namespaces", namespaces?.join(", ") ?? "every namespace"],
    ["lifetime", `${String(rule.lifetime_seconds)} s`],
  ];
}

function claimsText(claims: TrustRuleAnswer["claims"]): string {
  const pairs = Object.entries(claims ?? {}).map(([name, pattern]) => `${name}=${pattern}`);
  return pairs.length === 0 ? "no further ones" : pairs.join(", ");
}
