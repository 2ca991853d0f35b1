import { PROBLEMS } from "@svc/contract/problem";
import { problemsOf } from "../common-problems.ts";
import { Components, type SchemaObject } from "../openapi/schema-object.ts";
import { type Access, type RouteDefinition, TAGS } from "../route.ts";
import { ROUTES } from "../route-table.ts";
import { type ObjectField, objectFields } from "./object-fields.ts";

/** The heading under which docs/API.md lists every route. What follows it there is made from the table. */
export const ROUTES_HEADING = "## Every route";

/** One line of a table of fields. */
interface Field extends ObjectField {
  readonly place: "path" | "query" | "header" | "body";
}

/** The reference part of docs/API.md: all routes at a glance, then each with its fields. */
export function renderRoutes(): string {
  const all = Object.entries<RouteDefinition>(ROUTES);
  const byTag = Map.groupBy(all, ([, { tag }]) => tag);
  const parts = [...byTag].flatMap(([tag, routes]) => [
    `### ${tag}`,
    TAGS[tag],
    overview(routes.map(([, route]) => route)),
    ...routes.map(([id, route]) => detail(id, route)),
  ]);
  return [ROUTES_HEADING, INTRODUCTION, ...parts].join("\n\n").concat("\n");
}

const INTRODUCTION =
  "This part is made from the route table of the server. Paths stand below `/api/v1` or `/v1`; those that " +
  "begin with a slash have no prefix. An identifier with `/` or `@` is percent-encoded in its segment. " +
  "[REASONS.md](REASONS.md#problem-codes) explains the problem codes. Every route can also answer those of " +
  "its transport: `invalid_target`, `invalid_header`, `headers_too_large`, `host_not_allowed` " +
  "and `internal_error`.";

function overview(routes: readonly RouteDefinition[]): string {
  const lines = routes.map(
    (route) =>
      `| \`${route.method} ${shownPath(route)}\` | ${route.summary} | ${shownAccess(route.access)} |`,
  );
  return ["| Route | What it does | Scope |", "|---|---|---|", ...lines].join("\n");
}

/** Without the first slash, as the tour writes paths behind `$SVC`. Unprefixed paths keep it. */
function shownPath({ path, prefixed }: RouteDefinition): string {
  return prefixed === false ? path : path.slice(1);
}

function shownAccess(access: Access): string {
  switch (access.kind) {
    case "anybody":
      return "no key";
    case "any_key":
      return "any key";
    case "scope":
      return `\`${access.scope}\``;
  }
}

function detail(id: string, route: RouteDefinition): string {
  const fields = fieldsOf(route);
  const table = fields.map(
    ({ place, name, type, isRequired, meaning }) =>
      `| \`${name}\` | ${place} | ${type}${isRequired ? ", required" : ""} | ${meaning} |`,
  );
  const shown = table.length === 0 ? [] : ["| Field | In | Type | Meaning |", "|---|---|---|---|", ...table];
  return [
    `#### ${route.method} ${shownPath(route)}`,
    `${route.description} Operation id \`${id}\`.`,
    ...(shown.length === 0 ? [] : [shown.join("\n")]),
    answersOf(route),
  ].join("\n\n");
}

/** Codes that every route can answer. The introduction names them once. */
const TRANSPORT_CODES = new Set<string>([
  "invalid_target",
  "invalid_header",
  "headers_too_large",
  "host_not_allowed",
  "internal_error",
]);

function answersOf(route: RouteDefinition): string {
  const answers = Object.entries(route.answers).map(
    ([status, { description }]) => `\`${status}\` ${description}`,
  );
  const codes = problemsOf(route)
    .filter((code) => !TRANSPORT_CODES.has(code))
    .toSorted((one, other) => PROBLEMS[one].status - PROBLEMS[other].status)
    .map((code) => `\`${code}\``);
  return `Answers: ${answers.join(" ")} Problems: ${codes.join(", ")}.`;
}

function fieldsOf(route: RouteDefinition): readonly Field[] {
  const components = new Components();
  const { body } = route;
  const read = (place: "path" | "query" | "body", schema: SchemaObject): readonly Field[] =>
    objectFields(schema, components).map((field) => ({
      ...field,
      place,
      isRequired: place === "path" || field.isRequired,
    }));
  return [
    ...read("path", components.add(route.params, "input")),
    ...read("query", components.add(route.query, "input")),
    ...headerFields(route),
    ...(body?.kind === "json" || body?.kind === "unread_json"
      ? read("body", components.add(body.schema, "input"))
      : []),
    ...(body?.kind === "text" ? [documentField(body.description)] : []),
  ];
}

function documentField(description: string): Field {
  return { place: "body", name: "(text)", type: "text", isRequired: true, meaning: description };
}

function headerFields({ idempotency, ifMatch }: RouteDefinition): readonly Field[] {
  const header = (name: string, meaning: string): Field => ({
    place: "header",
    name,
    type: "text",
    isRequired: false,
    meaning,
  });
  return [
    ...(idempotency === null
      ? []
      : [header("Idempotency-Key", "A repeat with the same key takes effect once.")]),
    ...(ifMatch === true ? [header("If-Match", "The version that you have read, as its `ETag`.")] : []),
  ];
}
