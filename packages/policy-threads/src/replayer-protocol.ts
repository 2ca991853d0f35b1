import type { ReplayOrder, RowPage } from "@svc/policy-analysis/replay-exchange";

/** Messages between the serving thread and the thread that decides recorded calls again. */
export type ReplayerOrder =
  | { readonly kind: "begin"; readonly order: ReplayOrder }
  /** The rows that were needed. */
  | { readonly kind: "rows"; readonly id: string; readonly logId: string; readonly page: RowPage }
  /** Goes on after the time of an order was over. */
  | { readonly kind: "go_on"; readonly id: string }
  /** Forgets the work. */
  | { readonly kind: "drop"; readonly id: string };
