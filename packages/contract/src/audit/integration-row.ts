import type { IntegrationKind } from "../integrations/integration-kinds.ts";

/** A change of a connection that the service writes to or reads from. No row holds a secret. */
export interface IntegrationRow {
  readonly v: 1;
  readonly kind: "integration";
  /** RFC 3339 UTC with milliseconds. */
  readonly time: string;
  readonly org: string;
  readonly principal: string;
  readonly action: "created" | "updated" | "removed";
  readonly integration_id: string;
  readonly integration_kind: IntegrationKind;
  readonly name: string;
  /** Where it leads: scheme, host and port. The rest of an address can be a secret. */
  readonly origin: string;
  readonly enabled: boolean;
  /** Whether the change set another secret or removed it. */
  readonly secret_changed: boolean;
}
