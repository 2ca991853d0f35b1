import type { SqlStores } from "../sql/sql-stores.ts";

/** A call of one method of one store, as it travels between threads. */
export interface StoreCall {
  readonly store: keyof SqlStores;
  readonly method: string;
  readonly args: readonly unknown[];
}

export async function callStore(stores: SqlStores, { store, method, args }: StoreCall): Promise<unknown> {
  const methods = stores[store] as unknown as Record<string, (...args: readonly unknown[]) => unknown>;
  const called = methods[method];
  if (called === undefined) throw new Error(`store ${store} has no method ${method}`);
  return called(...args);
}
