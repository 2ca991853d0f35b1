import { createConfig, lintFromString } from "@redocly/openapi-core";
import { expect, it } from "vitest";
import { asYaml } from "../render-documents.ts";
import { downConvert } from "./down-convert.ts";
import { renderOpenApi } from "./render-openapi.ts";

const config = await createConfig({
  extends: ["recommended-strict"],
  rules: {
    // A server has the address that its operator gives it.
    "no-empty-servers": "error",
    "no-server-example.com": "off",
    "operation-operationId": "error",
    "operation-description": "error",
    "operation-4xx-response": "off",
    "operation-4xx-problem-details-rfc7807": "error",
    "operation-singular-tag": "error",
    "tag-description": "error",
    "tags-alphabetical": "off",
    "no-invalid-media-type-examples": "error",
    "no-invalid-schema-examples": "error",
    "no-unused-components": "off",
  },
});

const document = renderOpenApi("0.0.0");

// proves OAS-03, OAS-04
it.each([
  ["3.1", document],
  ["3.0", downConvert(document)],
])("the description as OpenAPI %s passes the lint of Redocly", async (name, described) => {
  const source = asYaml(described);
  const found = await lintFromString({ source, absoluteRef: `/${name}.yaml`, config });
  const shown = found.map(
    ({ ruleId, message, location: [at] }) => `${ruleId} ${at?.pointer ?? ""}: ${message}`,
  );
  expect(shown).toEqual([]);
});
