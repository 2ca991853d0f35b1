import type { CompiledPolicy } from "@svc/engine/compiled-policy";

/** A policy as it governs calls at this gateway. Every kind except `ready` denies. */
export type LoadedPolicy =
  | {
      readonly kind: "ready";
      readonly version: number;
      readonly policy: CompiledPolicy;
      /** The document that `policy` was compiled from. Another thread compiles the same policy from it. */
      readonly source: string;
    }
  /** No version of it has been compiled here; `version` is the one that is being compiled. */
  | { readonly kind: "loading"; readonly id: string; readonly version: number }
  | { readonly kind: "disabled"; readonly id: string; readonly version: number }
  | { readonly kind: "unloadable"; readonly id: string; readonly version: number; readonly detail: string };
