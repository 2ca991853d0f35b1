import type { Endpoint } from "../endpoint.ts";

/** An endpoint of the organization `acme` that takes everything. */
export function endpointOf(changes: Partial<Endpoint> = {}): Endpoint {
  return {
    id: "whk_1",
    org: "acme",
    url: "https://hooks.example/in",
    secrets: ["whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3"],
    events: null,
    agents: null,
    namespaces: null,
    decisions: null,
    courseVersion: 1,
    ...changes,
  };
}
