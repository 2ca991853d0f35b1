import type { Store } from "../ports/store.ts";
import type { StoreLimits } from "../sql/store-context.ts";

export interface OpenOptions {
  readonly logId?: string;
  readonly limits?: StoreLimits;
}

/** Where a store keeps its data: one directory or one database, empty at first. */
export interface StorePlace {
  open(options?: OpenOptions): Promise<Store>;
  /** Runs one statement without the store: over another connection, with the append-only triggers off. */
  tamper(statement: string): Promise<void>;
  remove(): Promise<void>;
}

/**
 * What the cases get: one open store that they share, in which each takes an organization of its own, and
 * places of their own to open and close.
 */
export interface ContractSubject {
  store(): Store;
  newPlace(): Promise<StorePlace>;
}
