import type { KillSwitchRecord } from "@svc/contract/kill-switch";
import type { KillSwitchScope } from "@svc/contract/kill-switch-scope";
import type { Problem } from "@svc/contract/problem";
import type { Guardrail } from "@svc/engine/guardrail";
import type { DocumentCheck, DocumentText } from "../check-document.ts";

/** What those who ask for a simulation exchange with the thread that runs it. */

export interface SimulationOrder {
  /** The body of the request again: reading it twice costs less than copying what is in it. */
  readonly body: Uint8Array;
  /** The version that the request names; null when the request has a document of its own. */
  readonly stored: (DocumentText & { readonly version: number }) | null;
  /** Those that the document of the request may name. */
  readonly guardrails?: readonly Guardrail[] | undefined;
  /** When the request was received: epoch milliseconds, for calls that name no time. */
  readonly timeMs: number;
  /** Active switches that may stop a call of the request. */
  readonly switches: readonly ActiveSwitch[];
}

export interface ActiveSwitch {
  readonly kill_switch_id: string;
  readonly scope: KillSwitchScope;
  readonly target_id: string | null;
  readonly account_wide: boolean;
  readonly reason: string;
}

/** What a kill switch can name. */
export interface SwitchTarget {
  readonly scope: Exclude<KillSwitchScope, "global">;
  readonly id: string;
}

/** What a simulation needs from the store. */
export interface SimulationNeeds {
  readonly kind: "needs";
  readonly policy: { readonly id: string; readonly version: number | null } | null;
  /** Whether the document of the request may name guardrails. */
  readonly guardrails: boolean;
  /** Of all calls, each once. */
  readonly targets: readonly SwitchTarget[];
}

export type SimulationReply =
  /** The answer as JSON: a text crosses threads faster than an object. */
  | { readonly kind: "simulated"; readonly text: string }
  /** The policy document is refused. */
  | {
      readonly kind: "document_refused";
      readonly document: DocumentText;
      readonly check: Exclude<DocumentCheck, { kind: "valid" }>;
    }
  | { readonly kind: "problem"; readonly problem: Problem };

/** What an explanation of a recorded decision needs from the store. */
export interface ExplanationOrder {
  readonly decisionId: string;
  /** The text of the row. */
  readonly row: string;
  /** The version that the row names; null when it names none, or the store does not have it. */
  readonly policy: DocumentText | null;
  /** Switches that name the call, and the one that the row names; active or not. */
  readonly switches: readonly KillSwitchRecord[];
  readonly withdrawn: boolean;
  readonly repeated: boolean | null;
  /** The key that the digests of the row were made with. */
  readonly digestKey: string;
}

export interface ExplanationReply {
  readonly kind: "explained";
  /** The answer as JSON. */
  readonly text: string;
  /** False: a defect. */
  readonly agrees: boolean | null;
  readonly doubts: readonly string[];
}

export interface DiffReply {
  readonly kind: "compared";
  /** A JSON list of changes. */
  readonly changes: string;
  readonly count: number;
  /** The same as lines of a terminal. */
  readonly lines: string;
}
