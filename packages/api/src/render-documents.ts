import { stringify } from "yaml";
import { renderCodesHtml } from "./codes/render-codes.ts";
import { downConvert } from "./openapi/down-convert.ts";
import { renderOpenApi } from "./openapi/render-openapi.ts";

/** Long lines stay whole, so that a changed word is a changed line. */
export function asYaml(value: unknown): string {
  return stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });
}

/** What the server sends beside openapi.yaml, by name: other forms of it, and the page of codes. */
export function renderDocuments(version: string): Readonly<Record<string, string>> {
  const document = renderOpenApi(version);
  return {
    // No server parses YAML for a page.
    "openapi.json": JSON.stringify(document),
    "openapi-3.0.yaml": asYaml(downConvert(document)),
    "reasons.html": renderCodesHtml(),
  };
}
