/** What the calls are judged by. Every agent of the generated calls is named here, or governed by nothing. */

const CLERK = `
tools:
  allowed: [payments.*, crm.*, mail.send, mail.purge]
  denied: [payments.close, db.drop_*]
rules:
  - id: hide-numbers
    priority: 10
    match: { tool: '*' }
    action: redact
    redact: { detectors: [pii.credit_card, pii.email], mask: last4 }
  - id: hash-secret
    priority: 11
    match: { tool: crm.* }
    action: redact
    redact: { fields: [args.secret, args.customer.ssn], mask: hash }
  - id: drop-note
    priority: 12
    match: { tool: crm.read, condition: { field: args.note, operator: exists } }
    action: redact
    redact: { fields: [args.note, args.items.0], mask: remove }
  - id: no-secrets
    priority: 20
    match:
      condition: { field: args.text, operator: detects, value: [secret.aws_key, secret.github_token] }
    action: deny
  - id: not-by-ops
    priority: 21
    match: { tool: crm.export, condition: { field: namespace, operator: '==', value: ops } }
    action: deny
  - id: dear-second
    priority: 22
    match: { tool: crm.order, condition: { field: args.items.1.price, operator: '>', value: 10 } }
    action: deny
  - id: street
    priority: 23
    match:
      tool: crm.*
      any:
        - { field: args.text, operator: matches, value: '(?i)stra(ß|ss)e|名前' }
        - { field: args.text, operator: starts_with, value: "\\u00e9" }
        - { field: args.tags, operator: contains, value: '🙂' }
    action: require_approval
  - id: abroad
    priority: 24
    match:
      tool: payments.charge
      all:
        - { field: args.country, operator: not_in, value: [DE, FR] }
        - { field: args.flag, operator: '==', value: true }
    action: deny
  - id: large
    priority: 30
    match: { tool: payments.refund, condition: { field: args.amount, operator: '>', value: 500 } }
    action: require_approval
  - id: clamp
    priority: 40
    match: { tool: payments.transfer }
    action: constrain
    constrain:
      max: { args.amount: 100.5 }
      min: { args.amount: 0 }
      set: { args.currency: EUR, args.limits.daily: 1e3 }
      remove: [args.note]
  - id: workspace
    priority: 50
    match: { tool: fs.*, condition: { field: args.path, operator: path_within, value: /srv/work } }
    action: allow
  - id: not-of-ops
    priority: 50
    match: { tool: fs.*, condition: { field: namespace, operator: '==', value: ops } }
    action: deny
  - id: tagged
    priority: 60
    match: { tool: mail.send, condition: { field: args.tags, operator: contains, value: a } }
    action: deny
`;

const COUNTER = `
session: { max_steps: 8 }
cost: { max_usd_per_session: 1, tool_prices: { payments.*: "0.3", "*": 0.01 } }
tools: { allowed: ['*'], denied: [db.drop_*] }
rules:
  - id: long-session
    match: { tool: mail.*, condition: { field: session.steps, operator: '>=', value: 3 } }
    action: require_approval
  - id: dear-session
    match: { tool: crm.*, condition: { field: session.cost_usd, operator: '>', value: 0.6 } }
    action: constrain
    constrain: { set: { args.slow: true } }
`;

export interface WorldPolicy {
  readonly id: string;
  readonly binding: { readonly agent_id: string } | { readonly namespace_id: string };
  readonly yaml: string;
}

export const policies: readonly WorldPolicy[] = [
  { id: "clerk", binding: { agent_id: "clerk" }, yaml: `id: clerk\n${CLERK}` },
  {
    id: "shadow",
    binding: { agent_id: "shadow" },
    yaml: `id: shadow\ngovernance_mode: shadow\n${CLERK}`,
  },
  { id: "counter", binding: { agent_id: "counter" }, yaml: `id: counter\n${COUNTER}` },
  {
    id: "auditor",
    binding: { agent_id: "auditor" },
    yaml: `id: auditor\ngovernance_mode: audit_only\n${COUNTER}`,
  },
  {
    id: "open",
    binding: { agent_id: "open" },
    yaml: "id: open\nfail_closed: false\ntools: { denied: [db.*] }\n",
  },
  {
    id: "team",
    binding: { namespace_id: "team" },
    yaml: "id: team\ntools: { allowed: [crm.*, fs.*] }\n",
  },
  // The agent that the shipped configuration of Envoy names.
  { id: "refunds", binding: { agent_id: "refund-agent" }, yaml: `id: refunds\n${CLERK}` },
];

/** The switches that are active while the calls are judged. The session has its name within an adapter. */
export const switches = [
  { scope: "agent", target_id: "stopped" },
  { scope: "tool", target_id: "mail.purge" },
  { scope: "namespace", target_id: "frozen" },
] as const;

/** Session that is stopped at every seam. */
export const STOPPED_SESSION = "stopped";

export const AGENTS = ["clerk", "shadow", "counter", "auditor", "open", "visitor", "stopped"] as const;

export const TOOLS = [
  "payments.refund",
  "payments.charge",
  "payments.transfer",
  "payments.close",
  "crm.read",
  "crm.order",
  "crm.export",
  "mail.send",
  "mail.purge",
  "fs.read",
  "db.drop_table",
  "db.read",
  "Payments.refund",
  "payments.refund/../db.drop_table",
] as const;

/** What a run has to come across, or else it has compared too little: reason codes, and ids of rules. */
export const REASON_CODES = [
  "kill_switch",
  "no_policy",
  "tool_denied",
  "rule",
  "not_allowed",
  "session_required",
  "max_steps",
  "max_cost",
  "constraint_unsatisfiable",
  "approval_required",
] as const;

export const RULES = [
  "no-secrets",
  "not-by-ops",
  "not-of-ops",
  "tagged",
  "dear-second",
  "street",
  "abroad",
  "large",
  "clamp",
  "long-session",
] as const;
