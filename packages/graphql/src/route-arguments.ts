import type { RouteDefinition } from "@svc/api/route";
import { MAX_PAGE_SIZE } from "@svc/contract/limits";
import { problem } from "@svc/contract/problem";
import { wordsOf } from "@svc/contract/query-parameter";
import {
  GraphQLBoolean,
  type GraphQLFieldConfigArgumentMap,
  GraphQLID,
  type GraphQLInputType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLString,
} from "graphql";
import { z } from "zod";
import { camelCase } from "./camel-case.ts";
import { listText } from "./list-text.ts";
import { descriptionOf, idOf, metaOf, type OutputTypes } from "./output-types.ts";
import { ProblemError } from "./problem-error.ts";
import { DATE_TIME } from "./scalars.ts";

const TIMES: ReadonlySet<string> = new Set(["since", "until"]);

/** What the API says of lists in one text. */
const OF_TEXT_LISTS = / (?:Several values: separate them by commas\.|One or more of [^.]*\.)$/;

/** The arguments of a field, from the parameters of its route. */
export function argumentsOf(
  { params, query }: RouteDefinition,
  types: OutputTypes,
  place: string,
): GraphQLFieldConfigArgumentMap {
  const names = Object.keys(params.shape);
  const required = names.map((name) => {
    const description = descriptionOf(params.shape[name] as z.ZodType) ?? null;
    const isOwn = names.length === 1 && query.shape["limit"] === undefined;
    return [isOwn ? "id" : camelCase(name), { type: new GraphQLNonNull(GraphQLID), description }];
  });
  const optional = Object.entries(query.shape).map(([name, schema]) => {
    if (name === "limit") return ["first", FIRST];
    if (name === "cursor") return ["after", AFTER];
    const type = argumentType(name, schema as z.ZodType, types, place);
    const description = descriptionOf(schema as z.ZodType)?.replace(OF_TEXT_LISTS, "") ?? null;
    return [camelCase(name), { type, description }];
  });
  return Object.fromEntries([...required, ...optional]) as GraphQLFieldConfigArgumentMap;
}

const FIRST = { type: GraphQLInt, description: `Nodes on the page, at most ${String(MAX_PAGE_SIZE)}.` };
const AFTER = {
  type: GraphQLString,
  description: "The `endCursor` of the page before. Absent: the first page.",
};

function argumentType(name: string, schema: z.ZodType, types: OutputTypes, place: string): GraphQLInputType {
  if (TIMES.has(name)) return DATE_TIME;
  const words = wordsOf(schema);
  if (words !== null) {
    const item = words.length === 0 ? GraphQLString : types.enumOfArgument(words, name, place);
    return new GraphQLList(new GraphQLNonNull(item));
  }
  const { jsonSchema } = metaOf(schema) as { readonly jsonSchema?: { readonly type?: unknown } };
  if (jsonSchema?.type === "integer") return GraphQLInt;
  if (jsonSchema?.type === "boolean") return GraphQLBoolean;
  const inner = innermost(schema);
  if (!(inner instanceof z.ZodEnum)) return GraphQLString;
  const choices = inner.options.map(String);
  if (choices.join() === "true,false") return GraphQLBoolean;
  const id = idOf(inner);
  return id === undefined ? types.enumOfArgument(choices, name, place) : types.enumOf(choices, id);
}

function innermost(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return innermost(schema.unwrap() as z.ZodType);
  return schema;
}

export type Arguments = Readonly<Record<string, unknown>>;

/** The texts of the parameters of a route, from the arguments of a field. */
export function parametersOf({ params, query }: RouteDefinition, args: Arguments) {
  const names = Object.keys(params.shape);
  const valueOf = (name: string): unknown => args[camelCase(name)] ?? args["id"];
  const texts = Object.entries(args).flatMap(([name, value]) => {
    if (value === null || value === undefined) return [];
    if (name === "first") return [["limit", String(clampFirst(value))]];
    if (name === "after") return [["cursor", textOf(value)]];
    const parameter = Object.keys(query.shape).find((each) => camelCase(each) === name);
    return parameter === undefined ? [] : [[parameter, textOf(value)]];
  });
  return {
    params: Object.fromEntries(names.map((name) => [name, textOf(valueOf(name))])),
    query: Object.fromEntries(texts) as Readonly<Record<string, string>>,
  };
}

/** @throws ProblemError when it is below 1 */
export function clampFirst(first: unknown): number {
  if (typeof first === "number" && first >= 1) return Math.min(first, MAX_PAGE_SIZE);
  const expected = `expected a number from 1 to ${String(MAX_PAGE_SIZE)}`;
  throw new ProblemError(problem("invalid_request", `first: ${expected}, found ${String(first)}`));
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  return Array.isArray(value) ? listText(value.map(textOf)) : JSON.stringify(value);
}
