import { MAX_KEY_NAME_LENGTH } from "@svc/contract/limits";
import { MAX_PROGRAM_SUBJECT_BYTES, subjectFault } from "@svc/contract/subject-fault";
import { EXCHANGED_TOKEN_KIND, type ExchangedToken, type TokenExchange } from "@svc/contract/token-exchange";
import type { TrustRuleRecord } from "@svc/contract/trust-rule";
import type { KeyChange, StoredKey } from "@svc/store/ports/key-store";
import { callStore, NOT_READ } from "../call-store.ts";
import { newShortKey } from "../keys/api-key.ts";
import { issueKey, type KeyPorts } from "../keys/issue-key.ts";
import { keyRow } from "../keys/key-row.ts";
import type { ControlPlanePorts } from "../ports.ts";
import { type Outcome, type Refusal, refuse } from "../refusal.ts";
import type { TokenClaims, UnprovedToken } from "./identity-tokens.ts";
import { environmentOf, refuseClaims } from "./refuse-claims.ts";
import { refuseRule } from "./refuse-rule.ts";

type Ports = KeyPorts & Pick<ControlPlanePorts, "trustRules" | "identityTokens">;

const MS_PER_S = 1_000;

/**
 * Gives a key of minutes for a token that a trust rule admits. What the rules say stands in the log: the
 * sender of a token learns only whether it was admitted.
 */
export async function exchangeToken(ports: Ports, request: TokenExchange): Promise<Outcome<ExchangedToken>> {
  const { subject_token: token, org_id: org, trust_rule_id: wanted } = request;
  const said = await ports.identityTokens.read(token);
  if (said === null)
    return refuse("token_refused", "The token has no issuer, subject or audience, so nothing can prove it.");
  const fault = subjectFault(said.subject, MAX_PROGRAM_SUBJECT_BYTES);
  if (fault !== null) return refuse("token_refused", `Nothing can name who sent the token: ${fault}.`);
  const found = await callStore(ports, NOT_READ, () => ports.trustRules.inForce(org));
  if (found.kind === "problem") return found;
  const named = found.value.filter(
    ({ id, issuer, audience }) =>
      issuer === said.issuer && said.audiences.includes(audience) && (wanted === null || id === wanted),
  );
  const rules = await withoutRefused(ports, named);
  if (rules.length === 0) {
    ports.log.warn({ org, ...said }, "no trust rule has the issuer and an audience of a token");
    return notAdmitted(said);
  }
  const proved = await proveFor(ports, token, rules);
  if (proved.kind === "problem") return proved;
  const admitting = proved.value.filter(({ rule, claims }) => {
    const refusal = refuseClaims(rule, claims);
    if (refusal !== null)
      ports.log.warn(
        { org, trust_rule_id: rule.id, subject: said.subject },
        `a token was refused: ${refusal}`,
      );
    return refusal === null;
  });
  const [admitted, other] = admitting;
  if (admitted === undefined) return notAdmitted(said);
  if (other !== undefined) return ambiguous(admitting.map(({ rule }) => rule.id));
  return giveKey(ports, { ...admitted, org });
}

/** A rule of a kind that is not made any more gives no key either. */
async function withoutRefused(
  { log, identityTokens }: Pick<Ports, "log" | "identityTokens">,
  rules: readonly TrustRuleRecord[],
): Promise<readonly TrustRuleRecord[]> {
  const judged = await Promise.all(
    rules.map(async (rule) => ({ rule, refused: await refuseRule(identityTokens, rule) })),
  );
  for (const { rule, refused } of judged)
    if (refused !== null)
      log.warn({ trust_rule_id: rule.id }, `a trust rule admits nobody: ${refused.reason}`);
  return judged.filter(({ refused }) => refused === null).map(({ rule }) => rule);
}

interface Admitted {
  readonly rule: TrustRuleRecord;
  readonly claims: TokenClaims;
}

/** The rules for whose issuer and audience the token is proved. */
async function proveFor(
  ports: Ports,
  token: string,
  rules: readonly TrustRuleRecord[],
): Promise<Outcome<readonly Admitted[]>> {
  const admitted: Admitted[] = [];
  let refusal: Refusal | null = null;
  for (const rule of rules) {
    const { issuer, audience, jwks_uri: jwksUri } = rule;
    const proved = await ports.identityTokens.prove({ token, issuer, audience, jwksUri });
    switch (proved.kind) {
      case "proved":
        admitted.push({ rule, claims: proved.claims });
        break;
      case "refused":
        ports.log.warn({ issuer, trust_rule_id: rule.id }, `a token was refused: ${proved.reason}`);
        refusal ??= refuse("token_refused", `The token proves nothing: ${proved.reason}.`);
        break;
      case "unknown_key":
        ports.log.warn({ issuer }, "a token names a key that its issuer did not publish a moment ago");
        refusal ??= refuse("issuer_unavailable", keyNotRead(issuer, proved.retryS));
        break;
      case "unreachable":
        ports.log.warn({ issuer }, `the keys of an identity provider could not be read: ${proved.reason}`);
        refusal ??= refuse(
          "issuer_unavailable",
          `The keys of the issuer ${issuer} could not be read, so nothing is known of the token. Try again.`,
        );
        break;
    }
  }
  return admitted.length === 0 && refusal !== null ? refusal : { kind: "ok", value: admitted };
}

function keyNotRead(issuer: string, retryS: number): string {
  return (
    `The keys of the issuer ${issuer} were read a moment ago, and that of the token was not among them. A ` +
    `new key is known ${String(retryS)} s later at the latest: try again then.`
  );
}

async function giveKey(
  ports: Ports,
  { rule, claims, org }: Admitted & { readonly org: string },
): Promise<Outcome<ExchangedToken>> {
  const startedMs = ports.clock.nowMs();
  const now = ports.clock.now();
  const time = now.toISOString();
  const expires_at = new Date(now.getTime() + rule.lifetime_seconds * MS_PER_S).toISOString();
  const subject = String(claims["sub"]);
  const issued = await issueKey(ports, {
    key: {
      org,
      name: `${rule.name}: ${subject}`.replaceAll(/\p{Cc}/gu, " ").slice(0, MAX_KEY_NAME_LENGTH),
      role: rule.role,
      agents: rule.agents,
      namespaces: rule.namespaces,
      origin: "exchanged",
      identity: {
        issuer: rule.issuer,
        subject,
        trust_rule_id: rule.id,
        environment: environmentOf(claims),
        person: null,
      },
      created_at: time,
      created_by: rule.id,
      expires_at,
    },
    newKey: newShortKey,
    changeOf: (key) => exchangeChange(key, { time, rule }),
    note: ({ id: key_id, role }) =>
      ports.log.info({ org, key_id, role, trust_rule_id: rule.id, subject, expires_at }, "key exchanged"),
    startedMs,
  });
  if (issued.kind === "problem") return issued;
  const { key, id, org_id, role, scopes } = issued.value;
  return {
    kind: "ok",
    value: {
      access_token: key,
      ...EXCHANGED_TOKEN_KIND,
      expires_in: rule.lifetime_seconds,
      expires_at,
      key_id: id,
      org_id,
      role,
      scope: scopes.join(" "),
      trust_rule_id: rule.id,
    },
  };
}

/** No key asks. The row names the rule. */
function exchangeChange(
  key: StoredKey,
  { time, rule }: { readonly time: string; readonly rule: TrustRuleRecord },
): KeyChange {
  const facts = { org: key.org, principal: rule.id, action: "exchanged", time } as const;
  return { org: key.org, auditRow: keyRow(key, facts), actor: null, at: time };
}

function notAdmitted({ issuer, subject, audiences }: UnprovedToken): Refusal {
  return refuse(
    "token_refused",
    `No trust rule admits the token. It has the issuer ${issuer}, the subject ${subject} and the audience ` +
      `${audiences.join(", ")}. An administrator makes rules with POST trust-rules; the log of the ` +
      "server says what did not fit.",
  );
}

function ambiguous(ids: readonly string[]): Refusal {
  const expected = `one of ${ids.join(", ")}`;
  const entry = { pointer: "/trust_rule_id", expected, found: "null" };
  return refuse("invalid_request", `Several trust rules admit the token. Name one: ${expected}.`, [entry]);
}
