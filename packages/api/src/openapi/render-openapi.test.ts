import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { stringify } from "yaml";
import { downConvert } from "./down-convert.ts";
import { renderOpenApi } from "./render-openapi.ts";

const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
  readonly version: string;
};
const document = renderOpenApi(version);

/** Long lines stay whole, so that a changed word is a changed line. */
const asYaml = (value: unknown): string => stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });

// proves OAS-02
// The server sends these files. `npm test -- packages/api -u` writes them after the route table has changed.
it("is written down as OpenAPI 3.1", async () => {
  await expect(asYaml(document)).toMatchFileSnapshot("../../openapi/openapi.yaml");
});

// proves OAS-02
it("is written down as JSON, so that no server parses YAML for a page", async () => {
  await expect(JSON.stringify(document)).toMatchFileSnapshot("../../openapi/openapi.json");
});

it("names no object as a default, because generators for Go make code of it that does not compile", () => {
  expect(JSON.stringify(document)).not.toContain('"default":{');
});

// proves OAS-03
it("is written down as OpenAPI 3.0", async () => {
  await expect(asYaml(downConvert(document))).toMatchFileSnapshot("../../openapi/openapi-3.0.yaml");
});
