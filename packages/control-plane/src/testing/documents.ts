import type { DocumentText } from "../policies/read-document.ts";

/** A small valid document as YAML; a field that is undefined is left out. */
export function yaml(known: Readonly<Record<string, unknown>> = {}): DocumentText {
  const fields = { id: "refunds", agent_id: "a-1", tools: { allowed: ["payments.*"] }, ...known };
  const present = Object.entries(fields).filter(([, value]) => value !== undefined);
  const lines = present.map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`);
  return { source: lines.join(""), mediaType: "application/yaml" };
}
