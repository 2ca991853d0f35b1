import type { Parsed } from "@svc/contract/parsed";
import type { ProblemCode } from "@svc/contract/problem";
import type { Scope } from "@svc/contract/scope";
import type { JsonValue } from "@svc/text/json-value";
import { type ZodObject, type ZodType, z } from "zod";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** The groups of routes in the documents that are made from the table. */
export const TAGS = {
  Decisions: "Decide tool calls and report how they ended.",
  "Kill switches": "Stop calls at once, and let them go on.",
  Policies: "Documents that say which calls may proceed, in versions.",
  Approvals: "Calls that wait for people, and who resolves them.",
  Assignments: "Which policy governs which agent or namespace.",
  Agents: "Who calls, in which namespace, and whether it is alive and behaves.",
  Alerts: "Conditions that somebody has to look at, and where they stand.",
  Namespaces: "Groups of agents, and how rogue agents in them are found.",
  Keys: "API keys: who may do what, for how long.",
  Audit: "The tamper-evident log, and what verifies it.",
  Events: "What happens, as it happens.",
  Webhooks: "Who is told what happens.",
  Integrations: "Other systems that the audit log is written to, or that facts are read from.",
  GraphQL: "Questions about several resources at once.",
  Documents: "This description, and pages for people. These routes need no key.",
  Operation: "Health, metrics and version of one process. These routes have no prefix and need no key.",
} as const;
export type Tag = keyof typeof TAGS;

/** Who may use a route. `anybody` needs no key. */
export type Access =
  | { readonly kind: "anybody" }
  | { readonly kind: "any_key" }
  | { readonly kind: "scope"; readonly scope: Scope };

/**
 * What one use of a route costs the server, for rate limits. `switch` is for stopping calls, which must get
 * through when the rest is at its limit; `unlimited` is for the path of a tool call.
 */
export type RateClass = "unlimited" | "switch" | "read" | "write" | "costly";

/** A JSON body. `parse` is what the server runs; `schema` is the form that documents show. */
export interface JsonBody<Value = unknown> {
  readonly kind: "json";
  readonly schema: ZodType;
  readonly parse: (value: JsonValue) => Parsed<Value>;
  readonly example: JsonValue;
  /** What a request without a body means: a value that stands in for it, or a refusal with this text. */
  readonly absent?: { readonly value: JsonValue } | { readonly refusal: string };
}

/** A text body that the operation itself reads, such as a policy document. */
export interface TextBody {
  readonly kind: "text";
  /** Media types that are taken. The first one is what documents show first. */
  readonly mediaTypes: readonly string[];
  readonly description: string;
  readonly example: string;
}

/** A JSON body that is read on a thread of its own, because reading it takes long. */
export interface UnreadJsonBody {
  readonly kind: "unread_json";
  readonly schema: ZodType;
  readonly example: JsonValue;
  readonly maxBytes: number;
}

export type RouteBody = JsonBody | TextBody | UnreadJsonBody;

/** The answer of one status. */
export interface RouteAnswer<Schema extends ZodType = ZodType> {
  readonly description: string;
  /** Null: the answer has no JSON form. */
  readonly schema: Schema | null;
  readonly example?: unknown;
  /** Other media types in which the same answer can be asked for, or in which it is streamed. */
  readonly texts?: Readonly<Record<string, { readonly description: string; readonly example: string }>>;
  readonly headers?: readonly AnswerHeader[];
}

/** Headers of this answer. Headers that every answer has are not listed. */
export type AnswerHeader = "allow" | "etag" | "link" | "location" | "preference-applied" | "retry-after";

/** Everything that one route is. Serving, authorization, documents and tests are derived from it. */
export interface RouteDefinition {
  readonly method: Method;
  /** Below both prefixes, or from the root where `prefixed` is false. Parameters stand in braces. */
  readonly path: `/${string}`;
  readonly prefixed?: false;
  readonly tag: Tag;
  /** One line, as a title. */
  readonly summary: string;
  readonly description: string;
  readonly access: Access;
  readonly rateClass: RateClass;
  /** String schemas by name. Values are decoded once, after the path was split. */
  readonly params: ZodObject;
  /** Schemas that read the text of one query parameter each. */
  readonly query: ZodObject;
  readonly body: RouteBody | null;
  /** Whether `If-Match` is taken. */
  readonly ifMatch?: true;
  /** Whether the route answers with events that go on where `Last-Event-ID` says. */
  readonly lastEventId?: true;
  /**
   * How `Idempotency-Key` works: `answer` repeats the stored answer, `decision` counts a tool call once, null
   * does not take the header.
   */
  readonly idempotency: "answer" | "decision" | null;
  readonly answers: Readonly<Record<number, RouteAnswer>>;
  /** Problem codes beyond those that every route can answer. */
  readonly problems: readonly ProblemCode[];
}

/** What a route has that does not say otherwise: no parameters, no body, no problems of its own. */
const DEFAULTS = {
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: null,
  idempotency: null,
  problems: [],
} as const;

type Defaults = typeof DEFAULTS;

type GivenRoute = Omit<RouteDefinition, keyof Defaults> & Partial<Pick<RouteDefinition, keyof Defaults>>;

/** A route with all that its definition says kept in its type. */
export function route<const Given extends GivenRoute>(given: Given): Omit<Defaults, keyof Given> & Given {
  return { ...DEFAULTS, ...given };
}

/** @param absent what a request without a body means; left out: the body must be there */
export function jsonBody<Value>(
  schema: ZodType,
  parse: JsonBody<Value>["parse"],
  example: JsonValue,
  absent?: NonNullable<JsonBody["absent"]>,
): JsonBody<Value> {
  return { kind: "json", schema, parse, example, ...(absent === undefined ? {} : { absent }) };
}

/** Who may use a route by a scope, and what one use costs. */
export function scoped<const Name extends Scope, const Class extends RateClass>(
  scope: Name,
  rateClass: Class,
) {
  return { access: { kind: "scope", scope }, rateClass } as const;
}

/** An answer in JSON. */
export function answer<Schema extends ZodType, const Example>(
  description: string,
  schema: Schema,
  example: Example,
  headers?: readonly AnswerHeader[],
) {
  return { description, schema, example, ...(headers === undefined ? {} : { headers }) } as const;
}

/** The answer that is a page of a list. @param example its items, by their name */
export function page<Schema extends ZodType, const Items extends object>(
  description: string,
  schema: Schema,
  example: Items,
) {
  return { description, schema, example: { ...example, next_cursor: null }, headers: ["link"] } as const;
}

type BodyOf<Body extends RouteBody | null> =
  Body extends JsonBody<infer Value> ? Value : Body extends TextBody | UnreadJsonBody ? TextInput : null;

/** A body as it came. */
export interface TextInput {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** What an operation receives of a request. */
export interface RouteInput<Definition extends RouteDefinition> {
  readonly params: z.output<Definition["params"]>;
  readonly query: z.output<Definition["query"]>;
  readonly body: BodyOf<Definition["body"]>;
  /** The version in `If-Match`; null when any will do. */
  readonly ifMatch: number | null;
}

type AnswersOf<Answers extends Readonly<Record<number, RouteAnswer>>> = {
  [Status in keyof Answers & number]: Answers[Status]["schema"] extends ZodType
    ? {
        readonly kind: "json";
        readonly status: Status;
        readonly body: z.output<Answers[Status]["schema"]>;
        readonly headers?: AnswerHeaders;
      }
    : never;
}[keyof Answers & number];

export type AnswerHeaders = Readonly<Partial<Record<AnswerHeader, string>>>;

/** An answer that its route defines, as JSON. */
export type JsonAnswerOf<Definition extends RouteDefinition> = AnswersOf<Definition["answers"]>;

/** The status of an answer that its route defines. */
export type StatusOf<Definition extends RouteDefinition> = keyof Definition["answers"] & number;
