import { readFileSync } from "node:fs";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { expect, it } from "vitest";

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

// proves OAS-04
it.each(["openapi.yaml", "openapi-3.0.yaml"])("%s passes the lint of Redocly", async (name) => {
  const source = readFileSync(new URL(`../../openapi/${name}`, import.meta.url), "utf8");
  const found = await lintFromString({ source, absoluteRef: `/${name}`, config });
  const shown = found.map(
    ({ ruleId, message, location: [at] }) => `${ruleId} ${at?.pointer ?? ""}: ${message}`,
  );
  expect(shown).toEqual([]);
});
