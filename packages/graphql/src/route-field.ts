import type { ControlOperationId } from "@svc/api/route-table";
import { GraphQLBoolean, GraphQLList, GraphQLNonNull, GraphQLObjectType, GraphQLString } from "graphql";
import { pascalCase } from "./camel-case.ts";
import type { Field, Fields, OutputTypes } from "./output-types.ts";
import { ProblemError } from "./problem-error.ts";
import type { QueryContext } from "./query-context.ts";
import { type Arguments, argumentsOf, parametersOf } from "./route-arguments.ts";
import { answerOf, pageOf, routeOf } from "./route-schemas.ts";

type Source = Readonly<Record<string, unknown>>;

/** How many records a field reads: a page of them, as long as `first` says, or one. */
export type Records = "page" | "one";

/** Marks a field that reads records, for its cost. */
export function reads(records: Records) {
  return { extensions: { records } } as const;
}

const PAGE_INFO = new GraphQLObjectType<Source>({
  name: "PageInfo",
  description: "Where a page ends.",
  fields: {
    endCursor: {
      type: GraphQLString,
      description: "Send it as `after` to get the next page. Null: the list ends here.",
      resolve: ({ next_cursor: next }) => next,
    },
    hasNextPage: {
      type: new GraphQLNonNull(GraphQLBoolean),
      resolve: ({ next_cursor: next }) => next !== null,
    },
  },
});

/** Makes fields that ask routes. One connection type serves all fields with the same nodes. */
export class RouteFields {
  readonly #types: OutputTypes;
  readonly #connections = new Map<string, GraphQLObjectType>();

  constructor(types: OutputTypes) {
    this.#types = types;
  }

  /** A field of the query type. It is null when it is refused, so that the others are answered. */
  rootField(name: string, operation: ControlOperationId): Field {
    const route = routeOf(operation);
    const page = pageOf(operation);
    const hasFirst = Object.hasOwn(route.query.shape, "limit");
    return {
      type:
        page === null
          ? this.#types.objectOf(answerOf(operation), pascalCase(name))
          : this.#pageType(operation),
      description: `${route.description}${scopeText(route.access)}`,
      args: argumentsOf(route, this.#types, pascalCase(name)),
      resolve: (_source, args: Arguments, { read }: QueryContext) =>
        read({ operation, ...parametersOf(route, args) }).catch(nullIfAbsent),
      ...reads(hasFirst ? "page" : "one"),
    };
  }

  #pageType(operation: ControlOperationId): GraphQLObjectType {
    const page = pageOf(operation);
    if (page === null) throw new Error(`${operation}: expected a page`);
    const node = this.#types.objectOf(page.item, pascalCase(operation));
    const name = `${node.name}Connection`;
    const known = this.#connections.get(name);
    if (known !== undefined) return known;
    const { [page.member]: _items, next_cursor: _next, ...more } = answerOf(operation).shape;
    const made: GraphQLObjectType = new GraphQLObjectType({
      name,
      description: "A page of a list.",
      fields: (): Fields => ({
        nodes: {
          type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(node))),
          resolve: (source) => source[page.member],
        },
        pageInfo: { type: new GraphQLNonNull(PAGE_INFO), resolve: (source) => source },
        ...this.#types.fieldsOf(more, name),
      }),
    });
    this.#connections.set(name, made);
    return made;
  }
}

function scopeText(access: ReturnType<typeof routeOf>["access"]): string {
  return access.kind === "scope" ? `\n\nScope: \`${access.scope}\`.` : "";
}

/** What is not there, or belongs to another organization, is null. */
export function nullIfAbsent(error: unknown): null {
  if (error instanceof ProblemError && error.extensions["code"] === "not_found") return null;
  throw error;
}
