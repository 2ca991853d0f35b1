/** How a policy decided. Equal patterns are counted together. */
export interface DecisionPattern {
  readonly version: number | null;
  readonly mode: string | null;
  readonly decision: string;
  readonly would_be: string | null;
  readonly rule_id: string | null;
  /** The rule that would have decided under enforcement. */
  readonly would_be_rule_id: string | null;
  readonly tool: string | null;
}
