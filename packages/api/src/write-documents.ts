import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { renderCodesHtml } from "./codes/render-codes.ts";
import { downConvert } from "./openapi/down-convert.ts";
import { renderOpenApi } from "./openapi/render-openapi.ts";

/** Long lines stay whole, so that a changed word is a changed line. */
export function asYaml(value: unknown): string {
  return stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });
}

/** Writes what the server sends beside openapi.yaml: other forms of it, and the page of codes. */
export function writeDocuments(folder: string, version: string): void {
  const document = renderOpenApi(version);
  mkdirSync(folder, { recursive: true });
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  // No server parses YAML for a page.
  write("openapi.json", JSON.stringify(document));
  write("openapi-3.0.yaml", asYaml(downConvert(document)));
  write("reasons.html", renderCodesHtml());
}
