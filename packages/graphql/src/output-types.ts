import {
  GraphQLBoolean,
  GraphQLEnumType,
  type GraphQLFieldConfig,
  GraphQLFloat,
  GraphQLID,
  GraphQLList,
  type GraphQLNamedType,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLString,
  GraphQLUnionType,
  getNamedType,
} from "graphql";
import { type ZodType, z } from "zod";
import { camelCase, enumCase, pascalCase } from "./camel-case.ts";
import type { QueryContext } from "./query-context.ts";
import { readCounted, readMember } from "./read-member.ts";
import { DATE_TIME, JSON_SCALAR, LONG } from "./scalars.ts";

export type Field = GraphQLFieldConfig<Readonly<Record<string, unknown>>, QueryContext>;
export type Fields = Readonly<Record<string, Field>>;

/** Types whose name in the API would mislead here. */
const RENAMED: Readonly<Record<string, string>> = { AuditRow: "Event", AuditRowProof: "EventProof" };

/** Lists of words that have no name where they stand, by the argument or its field and the argument. */
const ENUM_NAMES: Readonly<Record<string, string>> = {
  kind: "AuditKind",
  would_be: "RefusedDecision",
  severity: "Severity",
  decision: "DecisionKind",
  "Agents.status": "AgentStatus",
  "KillSwitches.status": "KillSwitchFilter",
  "Policies.archived": "PolicyArchivedFilter",
};

/** Types whose values can be long. */
const LONG_VALUES: ReadonlySet<GraphQLNamedType> = new Set([GraphQLString, JSON_SCALAR]);

interface Converted {
  readonly type: GraphQLOutputType;
  readonly isNullable: boolean;
}

/**
 * Types of GraphQL made from the schemas of answers, so that both say the same. A schema with an id is the
 * type of that name; another one is named by where it stands.
 */
export class OutputTypes {
  readonly #objects = new Map<string, GraphQLObjectType>();
  readonly #unions = new Map<string, GraphQLUnionType>();
  /** By their words: lists of the same words are one type. */
  readonly #enums = new Map<string, GraphQLEnumType>();
  readonly #moreFields: (type: string) => Fields;

  /** @param moreFields fields of a type that no schema has, by its name */
  constructor(moreFields: (type: string) => Fields) {
    this.#moreFields = moreFields;
  }

  /** @param place names what has no name of its own, such as `AgentQuarantine` */
  typeOf(schema: ZodType, place: string): GraphQLOutputType {
    const { type, isNullable } = this.#convert(schema, place);
    return isNullable ? type : new GraphQLNonNull(type);
  }

  /** The type of an object by its schema. */
  objectOf(schema: ZodType, place: string): GraphQLObjectType {
    const { type } = this.#convert(schema, place);
    if (type instanceof GraphQLObjectType) return type;
    throw new Error(`${place}: expected the schema of an object`);
  }

  /** The fields of an object by its schema, without those of the API's pages. */
  fieldsOf(shape: Readonly<Record<string, ZodType>>, place: string): Fields {
    return Object.fromEntries(
      Object.entries(shape).map(([member, schema]) => {
        const type =
          member === "id" && isText(schema)
            ? new GraphQLNonNull(GraphQLID)
            : this.typeOf(schema, place + pascalCase(member));
        const description = descriptionOf(schema);
        const read = LONG_VALUES.has(getNamedType(type)) ? readCounted : readMember;
        return [camelCase(member), { type, description: description ?? null, resolve: read(member) }];
      }),
    );
  }

  /** @param name for words that no schema has named before */
  enumOf(words: readonly string[], name: string, description?: string): GraphQLEnumType {
    const key = JSON.stringify(words);
    const known = this.#enums.get(key);
    if (known !== undefined) return known;
    const values = Object.fromEntries(words.map((word) => [enumCase(word), { value: word }]));
    const made = new GraphQLEnumType({ name, description: description ?? null, values });
    this.#enums.set(key, made);
    return made;
  }

  /** The type for words of an argument. @param place the field that has it */
  enumOfArgument(words: readonly string[], argument: string, place: string): GraphQLEnumType {
    const name = ENUM_NAMES[`${place}.${argument}`] ?? ENUM_NAMES[argument];
    return this.enumOf(words, name ?? place + pascalCase(argument));
  }

  #convert(schema: ZodType, place: string): Converted {
    const { def } = (schema as unknown as z.core.$ZodTypes)._zod;
    const some = (type: GraphQLOutputType): Converted => ({ type, isNullable: false });
    switch (def.type) {
      case "optional":
      case "nullable":
        return { ...this.#convert(def.innerType as unknown as ZodType, place), isNullable: true };
      case "readonly":
      case "default":
        return this.#convert(def.innerType as unknown as ZodType, place);
      case "pipe":
        return this.#convert(def.out as unknown as ZodType, place);
      case "string":
        return some(metaOf(schema)["format"] === "date-time" ? DATE_TIME : GraphQLString);
      case "number":
        return some((schema as z.ZodNumber).format !== null ? LONG : GraphQLFloat);
      case "boolean":
        return some(GraphQLBoolean);
      case "literal":
        return some(def.values.every((value) => typeof value === "boolean") ? GraphQLBoolean : GraphQLString);
      case "enum":
        return some(this.#enumType(schema, Object.values(def.entries).map(String), place));
      case "array":
        return some(new GraphQLList(this.typeOf(def.element as unknown as ZodType, place)));
      case "object":
        return some(
          this.#objectType(schema, def.shape as unknown as Readonly<Record<string, ZodType>>, place),
        );
      case "union":
        return some(this.#unionType(schema, def.options as unknown as readonly ZodType[], place));
      case "custom":
        return customType(schema);
      default:
        return some(JSON_SCALAR);
    }
  }

  #enumType(schema: ZodType, words: readonly string[], place: string): GraphQLOutputType {
    // Open lists get words in later versions, which a client must be able to read.
    if (metaOf(schema)["jsonSchema"] !== undefined) return GraphQLString;
    return this.enumOf(words, idOf(schema) ?? place, descriptionOf(schema));
  }

  #objectType(schema: ZodType, shape: Readonly<Record<string, ZodType>>, place: string): GraphQLObjectType {
    const id = idOf(schema) ?? place;
    const name = RENAMED[id] ?? id;
    const known = this.#objects.get(name);
    if (known !== undefined) return known;
    const made: GraphQLObjectType = new GraphQLObjectType({
      name,
      description: descriptionOf(schema) ?? null,
      fields: () => ({ ...this.fieldsOf(shape, name), ...this.#moreFields(name) }),
    });
    this.#objects.set(name, made);
    return made;
  }

  /** Objects that one member tells apart. What else can be of several forms is JSON. */
  #unionType(schema: ZodType, options: readonly ZodType[], place: string): GraphQLOutputType {
    const { discriminator } = (schema as z.ZodDiscriminatedUnion).def;
    if (discriminator === undefined) return JSON_SCALAR;
    const name = idOf(schema) ?? place;
    const known = this.#unions.get(name);
    if (known !== undefined) return known;
    const byWord = new Map(
      options.map((option) => {
        const { value } = (option as z.ZodObject).shape[discriminator] as z.ZodLiteral<string>;
        return [value, this.objectOf(option, name + pascalCase(value))];
      }),
    );
    const made = new GraphQLUnionType({
      name,
      description: descriptionOf(schema) ?? null,
      types: [...byWord.values()],
      resolveType: (value: Readonly<Record<string, string>>) => byWord.get(value[discriminator] ?? "")?.name,
    });
    this.#unions.set(name, made);
    return made;
  }
}

function customType(schema: ZodType): Converted {
  const { jsonSchema } = metaOf(schema) as { readonly jsonSchema?: { readonly type?: unknown } };
  return { type: jsonSchema?.type === "string" ? GraphQLString : JSON_SCALAR, isNullable: false };
}

function isText(schema: ZodType): boolean {
  return schema._zod.def.type === "string";
}

export function metaOf(schema: ZodType): Readonly<Record<string, unknown>> {
  return z.globalRegistry.get(schema) ?? {};
}

export function descriptionOf(schema: ZodType): string | undefined {
  return metaOf(schema)["description"] as string | undefined;
}

/** A schema that got a description where it is used has the id of the one that it was made from. */
export function idOf(schema: ZodType): string | undefined {
  let at: ZodType | undefined = schema;
  while (at !== undefined) {
    const { id } = metaOf(at);
    if (typeof id === "string") return id;
    at = at._zod.parent as ZodType | undefined;
  }
  return undefined;
}
