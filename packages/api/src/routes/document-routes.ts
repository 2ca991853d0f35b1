import { z } from "zod";
import { type RouteDefinition, route } from "../route.ts";

const DOCUMENT = {
  method: "GET",
  tag: "Documents",
  access: { kind: "anybody" },
  rateClass: "unlimited",
} as const satisfies Partial<RouteDefinition>;

const YAML_EXAMPLE = "openapi: 3.1.0\n";

/** The description of the API itself. It is the same for everybody, so it needs no key. */
export const documentRoutes = {
  getOpenApiYaml: route({
    ...DOCUMENT,
    path: "/openapi.yaml",
    summary: "Read this description as YAML",
    description: "OpenAPI 3.1.",
    answers: {
      200: {
        description: "The description.",
        schema: null,
        texts: { "application/yaml": { description: "OpenAPI 3.1.", example: YAML_EXAMPLE } },
      },
    },
  }),
  getOpenApiJson: route({
    ...DOCUMENT,
    path: "/openapi.json",
    summary: "Read this description as JSON",
    description: "OpenAPI 3.1.",
    answers: {
      200: {
        description: "The description.",
        schema: z.looseObject({ openapi: z.string() }).meta({ id: "OpenApiDocument" }),
        example: { openapi: "3.1.0" },
      },
    },
  }),
  getOpenApi30Yaml: route({
    ...DOCUMENT,
    path: "/openapi-3.0.yaml",
    summary: "Read this description as OpenAPI 3.0",
    description: "For generators that do not read OpenAPI 3.1. It has no webhooks.",
    answers: {
      200: {
        description: "The description.",
        schema: null,
        texts: { "application/yaml": { description: "OpenAPI 3.0.", example: "openapi: 3.0.3\n" } },
      },
    },
  }),
  getGraphqlSchema: route({
    ...DOCUMENT,
    path: "/graphql/schema",
    summary: "Read the schema of GraphQL",
    description: "In the schema definition language. It is the same for everybody.",
    answers: {
      200: {
        description: "The schema.",
        schema: null,
        texts: {
          "text/plain": { description: "The schema.", example: "type Query {\n  whoami: WhoAmI\n}\n" },
        },
      },
    },
  }),
  showDocs: route({
    ...DOCUMENT,
    path: "/docs",
    prefixed: false,
    summary: "Read this description in a browser",
    description: "A page that loads nothing from other hosts.",
    answers: {
      200: {
        description: "The page.",
        schema: null,
        texts: { "text/html": { description: "The page.", example: "<!doctype html>\n" } },
      },
    },
  }),
  showGraphqlPage: route({
    ...DOCUMENT,
    path: "/docs/graphql",
    prefixed: false,
    summary: "Try GraphQL in a browser",
    description: "An editor with the schema beside it. The page loads nothing from other hosts.",
    answers: {
      200: {
        description: "The page.",
        schema: null,
        texts: { "text/html": { description: "The page.", example: "<!doctype html>\n" } },
      },
    },
  }),
  showReasons: route({
    ...DOCUMENT,
    path: "/docs/reasons",
    prefixed: false,
    summary: "Read what every reason code and problem code means",
    description: "`type` of a problem and `docs` of a deny lead here.",
    answers: {
      200: {
        description: "The page.",
        schema: null,
        texts: { "text/html": { description: "The page.", example: "<!doctype html>\n" } },
      },
    },
  }),
  getDocsFile: route({
    ...DOCUMENT,
    path: "/docs/{file}",
    prefixed: false,
    summary: "A file of the page",
    description: "Scripts and styles of the page. Their names are a closed list.",
    params: z.strictObject({ file: z.string().describe("The name of the file.") }),
    answers: {
      200: {
        description: "The file.",
        schema: null,
        texts: { "text/javascript": { description: "A script.", example: "" } },
      },
    },
    problems: ["not_found"],
  }),
} as const;
