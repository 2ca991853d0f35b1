import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { asYaml } from "../render-documents.ts";
import { renderOpenApi } from "./render-openapi.ts";

const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
  readonly version: string;
};
const document = renderOpenApi(version);

// proves OAS-02
// The server sends this file. `npm test -- packages/api -u` writes it after the route table has changed.
it("is written down as OpenAPI 3.1", async () => {
  await expect(asYaml(document)).toMatchFileSnapshot("../../openapi/openapi.yaml");
});

it("names no object as a default, because generators for Go make code of it that does not compile", () => {
  expect(JSON.stringify(document)).not.toContain('"default":{');
});

// proves OAS-11
it("names absolute addresses, because generated clients cannot resolve a relative one", () => {
  const paths = Object.values(document["paths"] as Readonly<Record<string, { readonly servers?: Server[] }>>);
  const root = paths.flatMap(({ servers = [] }) => servers);
  expect(root.length).toBeGreaterThan(0);
  const urls = [...(document["servers"] as Server[]), ...root].map(({ url, variables: { origin } }) =>
    url.replace("{origin}", origin.default),
  );
  const local = "http://127.0.0.1:8080";
  expect([...new Set(urls)]).toEqual([`${local}/api/v1`, `${local}/v1`, local]);
});

interface Server {
  readonly url: string;
  readonly variables: { readonly origin: { readonly default: string } };
}
