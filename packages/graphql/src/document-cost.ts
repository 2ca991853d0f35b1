import { DEFAULT_PAGE_SIZE } from "@svc/contract/limits";
import { type Problem, problem } from "@svc/contract/problem";
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLSchema,
  getArgumentValues,
  getNamedType,
  getNullableType,
  isCompositeType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  SchemaMetaFieldDef,
  type SelectionSetNode,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
} from "graphql";
import { MAX_NODES, MAX_VALUES } from "./limits.ts";
import { clampFirst } from "./route-arguments.ts";
import { SchemaSizes } from "./schema-sizes.ts";

/** What an answer has at most, as counts. */
export interface Cost {
  /** Records that are read. */
  readonly nodes: number;
  /** Members of objects, where a list inside a record counts as ten. */
  readonly values: number;
}

const NOTHING: Cost = { nodes: 0, values: 0 };

/** Why a question costs too much; null when it does not. */
export function refuseCost({ nodes, values }: Cost): Problem | null {
  if (nodes > MAX_NODES) {
    const detail =
      `The question costs ${String(nodes)}, one for each node that the answer may have, and at most ` +
      `${String(MAX_NODES)} are answered. Ask for fewer with \`first\`.`;
    return problem("too_much_work", detail);
  }
  if (values <= MAX_VALUES) return null;
  const detail =
    `The answer may have ${String(Math.ceil(values))} values, and at most ${String(MAX_VALUES)} are ` +
    "answered. Ask for fewer fields, or for fewer nodes with `first`.";
  return problem("too_much_work", detail);
}

/** Estimates the cost of documents that are valid. */
export class DocumentCosts {
  readonly #schema: GraphQLSchema;
  readonly #sizes: SchemaSizes;

  constructor(schema: GraphQLSchema) {
    this.#schema = schema;
    this.#sizes = new SchemaSizes(schema);
  }

  /** @throws ProblemError when a page is to have fewer than one node */
  costOf(document: DocumentNode, operation: OperationDefinitionNode, variables: Variables): Cost {
    const fragments = new Map(
      document.definitions
        .filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION)
        .map((fragment) => [fragment.name.value, fragment]),
    );
    const query = this.#schema.getQueryType();
    if (query === null || query === undefined) return NOTHING;
    const known = new Map<string, Cost>();
    const walk: Walk = { fragments, variables, known };
    return this.#costOfSet(operation.selectionSet, query, walk);
  }

  #costOfSet(set: SelectionSetNode, parent: GraphQLCompositeType, walk: Walk): Cost {
    return set.selections
      .map((selection): Cost => {
        if (selection.kind === Kind.FIELD) return this.#costOfField(selection, parent, walk);
        if (selection.kind === Kind.FRAGMENT_SPREAD) return this.#costOfFragment(selection.name.value, walk);
        const type = this.#typeNamed(selection.typeCondition?.name.value) ?? parent;
        return this.#costOfSet(selection.selectionSet, type, walk);
      })
      .reduce(
        (one, other) => ({ nodes: one.nodes + other.nodes, values: one.values + other.values }),
        NOTHING,
      );
  }

  #costOfFragment(name: string, walk: Walk): Cost {
    const found = walk.known.get(name);
    if (found !== undefined) return found;
    const fragment = walk.fragments.get(name);
    const type = this.#typeNamed(fragment?.typeCondition.name.value);
    if (fragment === undefined || type === null) return NOTHING;
    const cost = this.#costOfSet(fragment.selectionSet, type, walk);
    walk.known.set(name, cost);
    return cost;
  }

  #costOfField(node: FieldNode, parent: GraphQLCompositeType, walk: Walk): Cost {
    const field = fieldOf(parent, node.name.value);
    if (field === null) return NOTHING;
    const type = getNamedType(field.type);
    const isComposite = node.selectionSet !== undefined && isCompositeType(type);
    const below = isComposite ? this.#costOfSet(node.selectionSet, type, walk) : NOTHING;
    const { records } = field.extensions;
    if (records === undefined) {
      const isList = isListType(getNullableType(field.type));
      const factor = this.#sizes.factorOf(parent.name, field.name, isList && isComposite);
      return { nodes: below.nodes, values: 1 + factor * below.values };
    }
    const { first } = getArgumentValues(field, node, walk.variables);
    const count = records === "page" ? pageSize(first) : 1;
    return { nodes: count * (1 + below.nodes), values: 1 + count * below.values };
  }

  #typeNamed(name: string | undefined): GraphQLCompositeType | null {
    const type = name === undefined ? undefined : this.#schema.getType(name);
    return isCompositeType(type) ? type : null;
  }
}

type Variables = Readonly<Record<string, unknown>>;

interface Walk {
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly variables: Variables;
  readonly known: Map<string, Cost>;
}

function pageSize(first: unknown): number {
  return first === undefined || first === null ? DEFAULT_PAGE_SIZE : clampFirst(first);
}

const META_FIELDS = [SchemaMetaFieldDef, TypeMetaFieldDef, TypeNameMetaFieldDef];

function fieldOf(parent: GraphQLCompositeType, name: string): GraphQLField<unknown, unknown> | null {
  if (name.startsWith("__")) return META_FIELDS.find((field) => field.name === name) ?? null;
  return isObjectType(parent) || isInterfaceType(parent) ? (parent.getFields()[name] ?? null) : null;
}
