/** Files that the server sends as they are, by name, with where they lie beside the sources. */
const SOURCES = {
  "openapi.yaml": "../../api/openapi/openapi.yaml",
  "schema.graphql": "../../graphql/schema.graphql",
  "playground.css": "../../graphql/playground/playground.css",
  // The build makes these four.
  "playground.js": "../../graphql/dist/playground.js",
  "openapi.json": "../../api/dist/openapi.json",
  "openapi-3.0.yaml": "../../api/dist/openapi-3.0.yaml",
  "reasons.html": "../../api/dist/reasons.html",
  "swagger-ui.css": "../node_modules/swagger-ui-dist/swagger-ui.css",
  "swagger-ui-bundle.js": "../node_modules/swagger-ui-dist/swagger-ui-bundle.js",
} as const;

export type StaticFile = keyof typeof SOURCES;

/** Where the file is: where it was made, or in the folder `static` beside the bundle. */
export function staticFile(name: StaticFile): URL {
  const isSource = import.meta.url.endsWith(".ts");
  return new URL(isSource ? SOURCES[name] : `./static/${name}`, import.meta.url);
}
