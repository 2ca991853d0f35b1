import type { NamespaceRecord, NamespaceUpdate } from "@svc/contract/namespace";
import type { RogueDetectionSettings } from "@svc/contract/rogue-detection";
import type { AuditedChange } from "./audited-change.ts";
import type { Page, PageRequest } from "./page.ts";

/** What names a namespace, by id: at most NAMED_USES of each. All empty: nothing does. */
export interface NamespaceUse {
  readonly assignments: readonly string[];
  /** Active ones only. */
  readonly killSwitches: readonly string[];
  /** Registered agents whose calls are in it. */
  readonly agents: readonly string[];
  /** Keys that are bound to it and not revoked. */
  readonly keys: readonly string[];
}

/** Settings of a namespace, and who set them. Null: nobody has, so the defaults are in force. */
export interface StoredRogueDetection {
  readonly settings: RogueDetectionSettings;
  readonly updatedAt: string;
  readonly updatedBy: string;
}

/** The settings of one namespace as they are stored. Comparing the text tells whether they changed. */
export interface RogueDetectionText {
  readonly org: string;
  readonly namespace: string;
  /** JSON of RogueDetectionSettings. */
  readonly settings: string;
}

/**
 * Namespaces and their settings. The namespace `default` of every organization is there without being
 * created, and cannot be removed. No change here is a control event, because no gateway acts by one.
 */
export interface NamespaceStore {
  createNamespace(
    change: AuditedChange & { readonly record: NamespaceRecord & { readonly updated_at: string } },
  ): Promise<
    | { readonly kind: "created" }
    | { readonly kind: "existing"; readonly record: NamespaceRecord }
    | { readonly kind: "too_many" }
  >;
  updateNamespace(
    change: AuditedChange & {
      readonly id: string;
      readonly update: NamespaceUpdate;
      readonly updatedAt: string;
    },
  ): Promise<{ readonly kind: "updated"; readonly record: NamespaceRecord } | { readonly kind: "not_found" }>;
  /** Removes the namespace together with its settings. */
  removeNamespace(
    change: AuditedChange & { readonly id: string },
  ): Promise<
    | { readonly kind: "removed"; readonly record: NamespaceRecord }
    | { readonly kind: "not_found" }
    | { readonly kind: "in_use"; readonly use: NamespaceUse }
    | { readonly kind: "permanent" }
  >;
  namespace(org: string, id: string): Promise<NamespaceRecord | null>;
  /** By id. */
  namespaces(org: string, page: PageRequest): Promise<Page<NamespaceRecord> | "bad_cursor">;
  putRogueDetection(
    change: AuditedChange & { readonly id: string; readonly stored: StoredRogueDetection },
  ): Promise<{ readonly kind: "put" } | { readonly kind: "not_found" }>;
  rogueDetection(
    org: string,
    id: string,
  ): Promise<
    { readonly kind: "found"; readonly stored: StoredRogueDetection | null } | { readonly kind: "not_found" }
  >;
  /** The settings of every namespace that has some, of every organization. */
  everyRogueDetection(): Promise<readonly RogueDetectionText[]>;
}
