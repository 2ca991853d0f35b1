import { PROBLEMS, type ProblemCode, problem } from "@svc/contract/problem";
import { problemSchema } from "@svc/contract/problem-schema";
import { problemsOf } from "../common-problems.ts";
import { API_PREFIXES } from "../match-path.ts";
import { type AnswerHeader, type RouteAnswer, type RouteBody, type RouteDefinition, TAGS } from "../route.ts";
import { ROUTES } from "../route-table.ts";
import { renderWebhooks } from "./render-webhooks.ts";
import { Components, type Direction, type SchemaObject } from "./schema-object.ts";

type OpenApiObject = Readonly<Record<string, unknown>>;

const DESCRIPTION = `Svc decides tool calls of AI agents. It answers for each call whether it may
proceed, with these arguments, now.

Every path is served below \`/api/v1\` and, with the same answers, below \`/v1\`. Only the paths of the
group Operation, such as \`/healthz\`, and those of pages, such as \`/docs\`, have no prefix.

Send \`Authorization: Bearer svc_<id>_<secret>\`. The key names the organization. Errors are
\`application/problem+json\` with a closed list of codes: [/docs/reasons](/docs/reasons) says what each
means and what to do.`;

const SERVER_DESCRIPTIONS: Readonly<Record<(typeof API_PREFIXES)[number], string>> = {
  "/api/v1": "The prefix that this document uses.",
  "/v1": "The same routes under the shorter prefix.",
};

/** The whole API as an OpenAPI 3.1 document. */
export function renderOpenApi(version: string): OpenApiObject {
  const components = new Components();
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [id, definition] of Object.entries<RouteDefinition>(ROUTES)) {
    const item = (paths[definition.path] ??= definition.prefixed === false ? { servers: ROOT } : {});
    item[definition.method.toLowerCase()] = operationOf(id, definition, components);
  }
  const problemReference = components.add(problemSchema, "output");
  return {
    openapi: "3.1.0",
    info: {
      title: "Svc",
      version,
      description: DESCRIPTION,
      license: { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" },
    },
    servers: API_PREFIXES.map((prefix) => serverOf(prefix, SERVER_DESCRIPTIONS[prefix])),
    security: [{ apiKey: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: renderWebhooks(components),
    components: {
      securitySchemes: {
        apiKey: { type: "http", scheme: "bearer", description: "An API key: `svc_<id>_<secret>`." },
      },
      schemas: components.all,
      headers: HEADERS,
      parameters: PARAMETERS,
      responses: problemResponses(problemReference),
    },
  };
}

/** Generated clients need an absolute address: many of them have no document to resolve a relative one by. */
function serverOf(prefix: string, description: string): OpenApiObject {
  const origin = {
    default: "http://127.0.0.1:8080",
    description: "Scheme, host and port of your server. The default is that of a server on this machine.",
  };
  return { url: `{origin}${prefix}`, description, variables: { origin } };
}

const ROOT = [serverOf("", "These paths have no prefix.")];

const HEADERS: Readonly<Record<string, OpenApiObject>> = {
  "X-Request-Id": {
    description: "The id that log lines about this request have.",
    schema: { type: "string" },
  },
  ETag: {
    description: "The version of the policy. Send it back in `If-Match`.",
    schema: { type: "string", examples: ['"3"'] },
  },
  Link: { description: "The next page of the list.", schema: { type: "string" } },
  Location: { description: "Where the new resource is read.", schema: { type: "string" } },
  "Preference-Applied": {
    description: "How long the answer waited at most, of what `Prefer` asked for.",
    schema: { type: "string", examples: ["wait=30"] },
  },
  "Retry-After": {
    description: "Seconds after which the request may be sent again.",
    schema: { type: "integer", format: "int64", minimum: 0 },
  },
};

const HEADER_NAMES: Readonly<Record<Exclude<AnswerHeader, "allow">, string>> = {
  etag: "ETag",
  link: "Link",
  location: "Location",
  "preference-applied": "Preference-Applied",
  "retry-after": "Retry-After",
};

const PARAMETERS: Readonly<Record<string, OpenApiObject>> = {
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    required: false,
    description: "A name that you choose for this request. A repeat with the same name takes effect once.",
    schema: { type: "string", pattern: "^[\\x21-\\x7e]{1,128}$" },
  },
  IfMatch: {
    name: "If-Match",
    in: "header",
    required: false,
    description: "The version that you have read, as its `ETag`. Another latest version refuses the change.",
    schema: { type: "string" },
    example: '"3"',
  },
  LastEventId: {
    name: "Last-Event-ID",
    in: "header",
    required: false,
    description: "The `id` of the last event that was read. The stream goes on behind it.",
    schema: { type: "string" },
    example: "gw_1f0c=42",
  },
};

function operationOf(operationId: string, route: RouteDefinition, components: Components): OpenApiObject {
  const { tag, summary, description, access, body } = route;
  const scope = access.kind === "scope" ? { "x-svc-scope": access.scope } : {};
  const parameters = parametersOf(route, components);
  return {
    operationId,
    tags: [tag],
    summary,
    description: access.kind === "scope" ? `${description}\n\nScope: \`${access.scope}\`.` : description,
    ...scope,
    ...(access.kind === "anybody" ? { security: [] } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === null ? {} : { requestBody: requestBodyOf(body, components) }),
    responses: responsesOf(route, components),
  };
}

function parametersOf(route: RouteDefinition, components: Components): readonly OpenApiObject[] {
  const listed = (["path", "query"] as const).flatMap((place) => {
    const schema = place === "path" ? route.params : route.query;
    const { properties = {} } = components.add(schema, "input") as {
      readonly properties?: Readonly<Record<string, SchemaObject>>;
    };
    return Object.entries(properties).map(([name, { description, ...shown }]) => ({
      name,
      in: place,
      required: place === "path",
      description,
      schema: shown,
    }));
  });
  const headers = [
    ...(route.idempotency === null ? [] : [{ $ref: "#/components/parameters/IdempotencyKey" }]),
    ...(route.ifMatch === true ? [{ $ref: "#/components/parameters/IfMatch" }] : []),
    ...(route.lastEventId === true ? [{ $ref: "#/components/parameters/LastEventId" }] : []),
  ];
  return [...listed, ...headers];
}

function requestBodyOf(body: RouteBody, components: Components): OpenApiObject {
  if (body.kind === "json") {
    const isOptional = body.absent !== undefined && "value" in body.absent;
    const schema = components.add(body.schema, "input");
    return { required: !isOptional, content: { "application/json": { schema, example: body.example } } };
  }
  if (body.kind === "unread_json") {
    const schema = components.add(body.schema, "input");
    return { required: true, content: { "application/json": { schema, example: body.example } } };
  }
  const { mediaTypes, description, example } = body;
  const types = mediaTypes.map((type) => [
    type,
    type === "application/json" ? { schema: { type: "object" } } : { schema: { type: "string" }, example },
  ]);
  return { required: true, description, content: Object.fromEntries(types) };
}

function responsesOf(route: RouteDefinition, components: Components): OpenApiObject {
  const codes = Map.groupBy(problemsOf(route), (code) => String(PROBLEMS[code].status));
  const answers = Object.entries(route.answers).map(([status, answer]): [string, OpenApiObject] => {
    const response = responseOf(answer, components);
    const content = { ...(response["content"] as OpenApiObject), ...PROBLEM_CONTENT };
    return [status, codes.has(status) ? { ...response, content } : response];
  });
  const problems = [...codes]
    .filter(([status]) => route.answers[Number(status)] === undefined)
    .map(([status, group]): [string, OpenApiObject] => [status, problemReferenceOf(group)]);
  const all: readonly (readonly [string, OpenApiObject])[] = [...answers, ...problems];
  return Object.fromEntries(all.toSorted(([one], [other]) => Number(one) - Number(other)));
}

function responseOf(answer: RouteAnswer, components: Components): OpenApiObject {
  const { description, schema, example, texts = {}, headers = [] } = answer;
  const json =
    schema === null
      ? {}
      : { "application/json": { schema: components.add(schema, "output" satisfies Direction), example } };
  const others = Object.entries(texts).map(([type, text]) => [
    type,
    // A reader of YAML sees an object, so its schema says nothing of the type.
    {
      schema: type.endsWith("/yaml") ? {} : { type: "string", description: text.description },
      example: text.example,
    },
  ]);
  const names = [
    "X-Request-Id",
    ...headers.filter((name) => name !== "allow").map((name) => HEADER_NAMES[name]),
  ];
  return {
    description,
    headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
    content: { ...json, ...Object.fromEntries(others) },
  };
}

/** One code has a response of its own. Several codes of one status are listed. */
function problemReferenceOf(codes: readonly ProblemCode[]): OpenApiObject {
  const [only, ...others] = codes;
  if (only !== undefined && others.length === 0) return { $ref: `#/components/responses/${only}` };
  return {
    description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].title}.`).join(" "),
    content: PROBLEM_CONTENT,
  };
}

const PROBLEM_CONTENT = { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } };

function problemResponses(schema: SchemaObject): OpenApiObject {
  const codes = Object.keys(PROBLEMS) as ProblemCode[];
  return Object.fromEntries(
    codes.map((code) => [
      code,
      {
        description: `${PROBLEMS[code].title}.`,
        content: { "application/problem+json": { schema, example: exampleOf(code) } },
      },
    ]),
  );
}

function exampleOf(code: ProblemCode): OpenApiObject {
  return { ...problem(code, `${PROBLEMS[code].title}.`), request_id: "req_5d1f3c9a7b0e4826" };
}
