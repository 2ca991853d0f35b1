import type { Kysely } from "kysely";
import { ControlHeadGuard } from "../control-head-guard.ts";
import { DEFAULT_STORE_LIMITS } from "../default-limits.ts";
import { HeadGuard } from "../head-guard.ts";
import { ControlQueue } from "./control-queue.ts";
import type { Dialect, StoreContext } from "./store-context.ts";
import type { Tables } from "./tables.ts";

/** A context whose connection only reads. Every write over it fails. */
export function readingContext(db: Kysely<Tables>, dialect: Dialect): StoreContext {
  return {
    db,
    dialect,
    logId: "",
    limits: DEFAULT_STORE_LIMITS,
    nowMs: Date.now,
    epoch: () => Promise.reject(new Error("a reader's connection cannot write")),
    head: new HeadGuard({ logId: "", growth: "refused", acknowledged: null }),
    controlHead: new ControlHeadGuard(),
    controlQueue: new ControlQueue(),
  };
}
