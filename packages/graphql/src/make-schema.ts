import { GraphQLObjectType, GraphQLSchema } from "graphql";
import { moreFields } from "./more-fields.ts";
import { OutputTypes } from "./output-types.ts";
import { ROOT_FIELDS } from "./root-fields.ts";
import { RouteFields } from "./route-field.ts";

/** The schema, made from the table of routes. It takes some tens of milliseconds. */
export function makeSchema(): GraphQLSchema {
  const types: OutputTypes = new OutputTypes((type) => moreFields(types, type));
  const routes = new RouteFields(types);
  const fields = Object.fromEntries(
    Object.entries(ROOT_FIELDS).map(([name, operation]) => [name, routes.rootField(name, operation)]),
  );
  const description = "What can be asked. Each field needs the scope of the route of the API that it reads.";
  return new GraphQLSchema({ query: new GraphQLObjectType({ name: "Query", description, fields }) });
}
