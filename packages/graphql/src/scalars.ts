import { GraphQLError, GraphQLScalarType, Kind, type ValueNode, valueFromASTUntyped } from "graphql";

/** A value of any form. Its text counts towards the bytes of the answer. */
export const JSON_SCALAR = new GraphQLScalarType({
  name: "JSON",
  description: "Any JSON value, such as the arguments of a call.",
  serialize: (value) => value,
  parseValue: (value) => value,
  parseLiteral: (node, variables) => valueFromASTUntyped(node, variables),
});

export const DATE_TIME = new GraphQLScalarType({
  name: "DateTime",
  description: 'A time in RFC 3339, such as "2026-11-22T09:41:07.123Z". Answers have UTC with milliseconds.',
  specifiedByURL: "https://www.rfc-editor.org/rfc/rfc3339",
  serialize: (value) => value,
  parseValue: readTime,
  parseLiteral: (node) => readTime(node.kind === Kind.STRING ? node.value : null, node),
});

/** The route that the time goes to reads it strictly. */
function readTime(value: unknown, node?: ValueNode): string {
  if (typeof value === "string") return value;
  const options = node === undefined ? {} : { nodes: node };
  throw new GraphQLError('expected a time in RFC 3339, such as "2026-11-22T09:41:07.123Z"', options);
}

/** `Int` ends at 32 bits. */
export const LONG = new GraphQLScalarType({
  name: "Long",
  description: "A whole number of at most 53 bits, such as the number of a row or a revision.",
  serialize: (value) => value,
});
