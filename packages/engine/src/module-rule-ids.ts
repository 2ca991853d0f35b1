/** What verdicts and rows name as the rule when the module of a policy decides. */
export const MODULE_RULE_IDS = { deny: "rego:deny", requireApproval: "rego:require_approval" } as const;
