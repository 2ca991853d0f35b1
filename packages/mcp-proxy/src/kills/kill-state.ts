import type { Scope } from "./scope.ts";

/** What the known switches say about a scope. `unverified`: the list is too old to rely on. */
export type KillState =
  | { readonly kind: "clear" }
  | { readonly kind: "killed"; readonly killSwitchId: string }
  | { readonly kind: "unverified" };

/** Tells what the known kill switches say about a scope. */
export interface KillStates {
  readonly killState: (scope: Scope) => KillState;
}
