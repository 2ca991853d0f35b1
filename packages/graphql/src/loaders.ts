import { MAX_PAGE_SIZE } from "@svc/contract/limits";
import type { JsonObject } from "@svc/text/json-value";
import DataLoader from "dataloader";
import { listText } from "./list-text.ts";
import type { ReadRoute } from "./read-route.ts";

/** Records that are read by id for all nodes of a page at once. */
const LOADED = {
  agents: { operation: "listAgents", query: {} },
  policies: { operation: "listPolicies", query: { archived: "all" } },
} as const;

export type Loaded = keyof typeof LOADED;
export type Loaders = Readonly<Record<Loaded, DataLoader<string, JsonObject | null>>>;

/** Loaders of one question. Each record is read once, with those that are asked for at the same time. */
export function makeLoaders(read: ReadRoute): Loaders {
  return { agents: loaderOf("agents", read), policies: loaderOf("policies", read) };
}

function loaderOf(name: Loaded, read: ReadRoute): DataLoader<string, JsonObject | null> {
  const { operation, query } = LOADED[name];
  return new DataLoader(
    async (ids) => {
      const asked = { ...query, id: listText(ids), limit: String(MAX_PAGE_SIZE) };
      const answer = await read({ operation, params: {}, query: asked });
      const found = new Map((answer[name] as readonly JsonObject[]).map((record) => [record["id"], record]));
      return ids.map((id) => found.get(id) ?? null);
    },
    { maxBatchSize: MAX_PAGE_SIZE },
  );
}
