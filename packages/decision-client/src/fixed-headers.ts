import type { DecisionClientSettings } from "./decision-client-settings.ts";

/** The headers that every request to the gateway has, by lower-case name. */
export function fixedHeaders({
  apiKey,
  orgId,
}: Pick<DecisionClientSettings, "apiKey" | "orgId">): Readonly<Record<string, string>> {
  return {
    "content-type": "application/json",
    accept: "application/json",
    "accept-encoding": "identity",
    ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
    ...(orgId === null ? {} : { "x-svc-org-id": orgId }),
  };
}
