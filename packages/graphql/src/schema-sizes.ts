import { type GraphQLSchema, isEnumType, isObjectType } from "graphql";

/** Items that a list inside a record is taken to have. */
const ASSUMED_ITEMS = 10;

/** How many items lists have, for the cost of a question. Those of introspection are counted. */
export class SchemaSizes {
  /** By type and field. */
  readonly #factors: ReadonlyMap<string, number>;

  constructor(schema: GraphQLSchema) {
    const types = Object.values(schema.getTypeMap());
    const fields = types.filter(isObjectType).flatMap((type) => Object.values(type.getFields()));
    const values = types.filter(isEnumType).flatMap((type) => type.getValues());
    const args = fields.flatMap((field) => field.args);
    const directives = schema.getDirectives();
    this.#factors = new Map([
      ["__Schema.types", types.length],
      ["__Schema.directives", directives.length],
      ["__Type.fields", fields.length / types.length],
      ["__Type.enumValues", values.length / types.length],
      ["__Type.inputFields", 1],
      ["__Type.interfaces", 1],
      ["__Type.possibleTypes", 1],
      ["__Field.args", args.length / fields.length],
      ["__Directive.args", 1],
      // Few types are lists of lists.
      ["__Type.ofType", 1 / 2],
    ]);
  }

  factorOf(type: string, field: string, isList: boolean): number {
    return this.#factors.get(`${type}.${field}`) ?? (isList ? ASSUMED_ITEMS : 1);
  }
}
