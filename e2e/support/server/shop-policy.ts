/** A rule that denies, one that asks people, and one that rewrites. */
export const SHOP_RULES = `rules:
  - id: big
    priority: 1
    match: { tool: payments.*, condition: { field: args.amount, operator: ">", value: 500 } }
    action: deny
  - { id: ask, priority: 2, match: { tool: mail.* }, action: require_approval }
  - id: hide
    priority: 3
    match: { tool: payments.* }
    action: redact
    redact: { fields: [args.card], mask: last4 }
`;

/**
 * A policy with one of each: a rule that denies, one that asks people, one that rewrites, lists of tools, and
 * a ceiling of two steps for a session.
 */
export const SHOP_POLICY = `# refunds of the shop
id: refunds
agent_id: agent-1
session: { max_steps: 2 }
tools: { allowed: ['payments.*', 'mail.*'], denied: ['payments.never'] }
${SHOP_RULES}`;
