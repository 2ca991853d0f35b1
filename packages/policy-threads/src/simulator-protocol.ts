import type {
  DiffReply,
  ExplanationOrder,
  ExplanationReply,
  SimulationNeeds,
  SimulationOrder,
  SimulationReply,
} from "@svc/policy-analysis/simulation-exchange";

/** Messages between the serving thread and the thread that tries calls for authors. */

export type SimulatorOrder =
  /** Reads what a simulation needs from the store. */
  | { readonly kind: "read"; readonly body: Uint8Array }
  | { readonly kind: "simulate"; readonly simulation: SimulationOrder }
  /** Makes a recorded decision again. */
  | { readonly kind: "explain"; readonly decision: ExplanationOrder }
  /** Compares two documents, which are JSON. */
  | { readonly kind: "diff"; readonly before: string; readonly after: string };

export type SimulatorReply = SimulationNeeds | SimulationReply | ExplanationReply | DiffReply;
