import { rowText } from "@svc/audit-log/row-text";
import { AUDIT_ROW_VERSION } from "@svc/contract/audit-row";
import type { Principal } from "@svc/contract/principal";
import type { TrustRuleAnswer, TrustRuleCreation, TrustRuleRecord } from "@svc/contract/trust-rule";
import type { TrustRuleRow } from "@svc/contract/trust-rule-row";
import { maskSecretsInIdentifier, maskSecretsInText } from "@svc/engine/mask-secrets";
import type { Page, PageRequest } from "@svc/store/ports/page";
import { callStore, readPage, readRecord } from "../call-store.ts";
import { refusePower } from "../keys/refuse-power.ts";
import type { ControlPlanePorts } from "../ports.ts";
import { type Outcome, refuse } from "../refusal.ts";
import { refuseRule } from "./refuse-rule.ts";
import { trustRuleWarnings } from "./trust-rule-warnings.ts";

type Ports = Pick<ControlPlanePorts, "clock" | "log" | "trustRules" | "identityTokens">;

const NOT_MADE =
  "The store did not confirm the trust rule, so it may admit tokens. List the rules before you try again.";

const STILL_IN_FORCE =
  "The store did not confirm it, so the trust rule may still admit tokens. Look before you try again.";

/** Makes a rule. It gives no more than a key that its maker could make. */
export async function createTrustRule(
  ports: Ports & Pick<ControlPlanePorts, "newId">,
  principal: Principal,
  settings: TrustRuleCreation,
): Promise<Outcome<TrustRuleAnswer>> {
  const { role, agents, namespaces } = settings;
  // A rule gives keys for as long as it is there.
  const power = { org: principal.org, role, agents, namespaces, expires_at: null };
  const refusal = refusePower(principal, power);
  if (refusal !== null) return refusal;
  const refused = await refuseRule(ports.identityTokens, settings);
  if (refused !== null) return refuse("invalid_request", `${refused.reason}.`, [refused.entry]);
  const time = ports.clock.now().toISOString();
  const made = { created_at: time, created_by: principal.id, removed_at: null, removed_by: null };
  const record = { id: ports.newId("trust"), ...settings, ...made };
  const change = changeOf(principal, { action: "created", time, record });
  const stored = await callStore(ports, NOT_MADE, () => ports.trustRules.create(change));
  if (stored.kind === "problem") return stored;
  switch (stored.value.kind) {
    case "created":
      return noted(ports, principal, { message: "trust rule created", record });
    case "too_many":
      return refuse(
        "limit_reached",
        "This organization has made as many trust rules as it can, those that were removed included.",
      );
  }
}

/** Newest first, removed ones included. */
export async function listTrustRules(
  ports: Omit<Ports, "clock">,
  { org }: Principal,
  page: PageRequest,
): Promise<Outcome<Page<TrustRuleAnswer>>> {
  const found = await readPage(ports, page, () => ports.trustRules.list(org, page));
  if (found.kind === "problem") return found;
  const items = await Promise.all(found.value.items.map((record) => shown(ports, record)));
  return { kind: "ok", value: { ...found.value, items } };
}

export async function getTrustRule(
  ports: Omit<Ports, "clock">,
  principal: Principal,
  id: string,
): Promise<Outcome<TrustRuleAnswer>> {
  const found = await readRule(ports, principal, id);
  return found.kind === "problem" ? found : { kind: "ok", value: await shown(ports, found.value) };
}

/** Ends a rule. Keys that it has given end by themselves. Removing it again changes nothing. */
export async function removeTrustRule(
  ports: Ports,
  principal: Principal,
  id: string,
): Promise<Outcome<TrustRuleAnswer>> {
  const found = await readRule(ports, principal, id);
  if (found.kind === "problem") return found;
  const before = found.value;
  if (before.removed_at !== null) return { kind: "ok", value: await shown(ports, before) };
  const time = ports.clock.now().toISOString();
  const record = { ...before, removed_at: time, removed_by: principal.id };
  const change = { ...changeOf(principal, { action: "removed", time, record }), before };
  const stored = await callStore(ports, STILL_IN_FORCE, () => ports.trustRules.replace(change));
  if (stored.kind === "problem") return stored;
  // Only a removal changes a rule, so another one came first.
  if (stored.value.kind !== "replaced") return getTrustRule(ports, principal, id);
  return noted(ports, principal, { message: "trust rule removed", record });
}

async function readRule(
  ports: Pick<Ports, "log" | "trustRules">,
  { org }: Principal,
  id: string,
): Promise<Outcome<TrustRuleRecord>> {
  const unknown = `This organization has no trust rule ${id}. GET trust-rules lists them.`;
  return readRecord(
    ports,
    () => ports.trustRules.find(org, id),
    () => refuse("not_found", unknown),
  );
}

async function shown(
  { identityTokens }: Pick<Ports, "identityTokens">,
  record: TrustRuleRecord,
): Promise<TrustRuleAnswer> {
  const refused = record.removed_at === null ? await refuseRule(identityTokens, record) : null;
  const finding = refused === null ? [] : [`The rule admits nobody. ${refused.reason}. Make another one.`];
  return { ...record, warnings: [...finding, ...trustRuleWarnings(record)] };
}

/** With the audit row as text to store. */
function changeOf(
  { org, id: principal }: Principal,
  { action, time, record }: Pick<TrustRuleRow, "action" | "time"> & { readonly record: TrustRuleRecord },
) {
  const { id, name, issuer, audience, subject, claims, role, environments, lifetime_seconds } = record;
  const auditRow = rowText({
    v: AUDIT_ROW_VERSION,
    kind: "trust_rule",
    time,
    org,
    principal,
    action,
    trust_rule_id: id,
    name: maskSecretsInText(name),
    issuer: maskSecretsInText(issuer),
    audience: maskSecretsInText(audience),
    subject: maskSecretsInText(subject),
    claims: claims === null ? null : masked(claims),
    role,
    agents: record.agents?.map(maskSecretsInIdentifier) ?? null,
    namespaces: record.namespaces?.map(maskSecretsInIdentifier) ?? null,
    environments: environments?.map(maskSecretsInText) ?? null,
    lifetime_seconds,
  });
  return { org, auditRow, record };
}

function masked(claims: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const entries = Object.entries(claims);
  return Object.fromEntries(
    entries.map(([name, value]) => [maskSecretsInText(name), maskSecretsInText(value)]),
  );
}

async function noted(
  ports: Pick<Ports, "log" | "identityTokens">,
  { org, id: principal }: Principal,
  { message, record }: { readonly message: string; readonly record: TrustRuleRecord },
): Promise<Outcome<TrustRuleAnswer>> {
  ports.log.info({ org, principal, trust_rule_id: record.id, issuer: record.issuer }, message);
  return { kind: "ok", value: await shown(ports, record) };
}
