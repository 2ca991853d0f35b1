/** What gateways know of a registered agent. */
export interface GovernedAgent {
  readonly id: string;
  /** The namespace of its calls. */
  readonly namespace: string;
  /** While it is not null, only read-only tools of its policy may be called. `until` is RFC 3339. */
  readonly quarantine: { readonly since: string; readonly until: string | null } | null;
}
