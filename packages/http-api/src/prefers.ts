import type { HeadText } from "@svc/http-edge/request-head";
import Negotiator from "negotiator";

const JSON_TYPES = withCharset(["application/json"]);

const OTHER_TYPES = {
  yaml: withCharset(["application/yaml", "application/x-yaml", "text/yaml", "text/x-yaml"]),
  text: withCharset(["text/plain"]),
} as const;

/**
 * Whether the caller prefers YAML, or lines for a terminal, to JSON by the rules of RFC 9110 about `Accept`.
 * A caller without a preference gets JSON.
 */
export function prefers({ headers }: HeadText, other: keyof typeof OTHER_TYPES): boolean {
  const types = OTHER_TYPES[other];
  const preferred = new Negotiator({ headers }).mediaType([...JSON_TYPES, ...types]);
  return preferred !== undefined && types.includes(preferred);
}

const GRAPHQL_TYPES = withCharset(["application/graphql-response+json"]);

/** Whether the caller prefers the media type of GraphQL to that of JSON. */
export function answersInGraphqlType({ headers }: HeadText): boolean {
  const preferred = new Negotiator({ headers }).mediaType([...JSON_TYPES, ...GRAPHQL_TYPES]);
  return preferred !== undefined && GRAPHQL_TYPES.includes(preferred);
}

/** A parameter in Accept must be offered to count; every answer is UTF-8. */
function withCharset(types: readonly string[]): readonly string[] {
  return types.flatMap((type) => [type, `${type};charset=utf-8`, `${type};charset=UTF-8`]);
}
