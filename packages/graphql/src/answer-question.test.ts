import type { AskRoute, RouteQuestion } from "@svc/api/graphql-question";
import { invalidProblem } from "@svc/contract/body-problem";
import { problem } from "@svc/contract/problem";
import { buildClientSchema, getIntrospectionQuery, type IntrospectionQuery, printSchema } from "graphql";
import { expect, it } from "vitest";
import { QuestionAnswerer } from "./answer-question.ts";
import { makeSchema } from "./make-schema.ts";

const schema = makeSchema();
const answerer = new QuestionAnswerer(schema);

const POLICY = {
  id: "refunds",
  version: 2 ** 40,
  mode: "enforcement",
  enabled: true,
  archived: false,
  labels: {},
  name: null,
  created_at: "2026-11-22T09:41:07.123Z",
  created_by: "key",
  rolled_back_to: null,
  why: null,
};

/** Answers each route with what is given for it, and keeps what was asked. */
function asking(answers: Readonly<Record<string, object>>) {
  const asked: RouteQuestion[] = [];
  const ask: AskRoute = async (question) => {
    asked.push(question);
    const body = answers[question.operation];
    return body === undefined
      ? { kind: "problem", problem: problem("not_found", "Nothing has such an id.") }
      : { kind: "json", text: JSON.stringify(body) };
  };
  const answer = async (query: string, variables: Record<string, string | number> | null = null) => {
    const { status, text } = await answerer.answer({ query, operationName: null, variables }, ask);
    return { status, body: JSON.parse(text) as { data?: unknown; errors?: readonly unknown[] } };
  };
  return { asked, answer };
}

const refusal = async (query: string, variables?: Record<string, string | number>) => {
  const { status, body } = await asking({}).answer(query, variables ?? null);
  expect(status).toBe(400);
  expect(body.data).toBeUndefined();
  return body.errors?.[0];
};

it("answers a list with its nodes and where the next page starts", async () => {
  const { answer, asked } = asking({ listPolicies: { policies: [POLICY], next_cursor: "c" } });
  const query =
    'query($n: Int) { policies(first: $n, after: "b", mode: SHADOW) ' +
    "{ nodes { id version mode } pageInfo { endCursor hasNextPage } } }";
  const { status, body } = await answer(query, { n: 1_000_000 });
  const nodes = [{ id: "refunds", version: 2 ** 40, mode: "ENFORCEMENT" }];
  expect([status, body]).toEqual([
    200,
    { data: { policies: { nodes, pageInfo: { endCursor: "c", hasNextPage: true } } } },
  ]);
  const sent = { limit: "200", cursor: "b", mode: "shadow" };
  expect(asked).toEqual([{ operation: "listPolicies", params: {}, query: sent }]);
});

it("sends lists of values as the API reads them", async () => {
  const { answer, asked } = asking({ listAuditRows: { rows: [], next_cursor: null } });
  await answer(
    '{ events(agentId: ["a,b", "c"], decision: [DENY, PAUSE], since: "2026-11-22T09:41:07Z") ' +
      "{ nodes { id } } }",
  );
  expect(asked[0]?.query).toEqual({
    agent_id: "a%2Cb,c",
    decision: "deny,pause",
    since: "2026-11-22T09:41:07Z",
  });
});

it("answers null for what is not there, and keeps the other fields when one is refused", async () => {
  const query =
    '{ agent(id: "nope") { id } sessions(agentId: "oa") { nodes { sessionId } } whoami { role } }';
  const absent = await asking({ whoAmI: { role: "admin" } }).answer(query);
  expect(absent.body).toEqual({ data: { agent: null, sessions: null, whoami: { role: "ADMIN" } } });
  const ask: AskRoute = async () => ({ kind: "problem", problem: problem("forbidden", "No.") });
  const question = { query: "{ policies { nodes { id } } }", operationName: null, variables: null };
  expect(JSON.parse((await answerer.answer(question, ask)).text)).toMatchObject({
    data: { policies: null },
    errors: [{ path: ["policies"], extensions: { code: "forbidden" } }],
  });
});

it.each([
  [
    { pointer: "cursor", expected: "the next_cursor of a page", found: "x", fix: "leave cursor out" },
    "after: expected the endCursor of a page, found x (leave after out)",
  ],
  [
    { pointer: "agent_id", expected: "1 to 20 values, separated by commas (%2C in one)", found: "21" },
    "agentId: expected 1 to 20 values in a list, found 21",
  ],
])("names arguments in refusals of a route: %j", async (entry, message) => {
  const ask: AskRoute = async () => ({ kind: "problem", problem: invalidProblem([entry]) });
  const question = { query: "{ events { nodes { id } } }", operationName: null, variables: null };
  const { errors } = JSON.parse((await answerer.answer(question, ask)).text) as { errors: unknown };
  expect(errors).toMatchObject([
    { message, extensions: { errors: [{ pointer: message.slice(0, message.indexOf(":")) }] } },
  ]);
});

it("shows nothing of a fault of the server", async () => {
  const ask: AskRoute = () => Promise.reject(new Error("secret"));
  const question = { query: "{ whoami { role } }", operationName: null, variables: null };
  const { text } = await answerer.answer(question, ask);
  expect(JSON.parse(text)).toMatchObject({ errors: [{ extensions: { code: "internal_error" } }] });
  expect(text).not.toContain("secret");
});

// proves GQL-08
it("reads the records that the nodes of a page name at once", async () => {
  const rows = Array.from({ length: 50 }, (_one, at) => ({
    id: `gw.${String(at)}`,
    row: { agent_id: `a-${String(at)}`, policy_id: `p-${String(at % 25)}` },
  }));
  const policies = [{ ...POLICY, id: "p-3" }];
  const { answer, asked } = asking({
    listAuditRows: { rows, next_cursor: null },
    listPolicies: { policies, next_cursor: null },
    listAgents: { agents: [], next_cursor: null },
  });
  const { body } = await answer("{ events { nodes { policy { id } agent { id } } } }");
  expect(asked.map(({ operation }) => operation)).toEqual(["listAuditRows", "listPolicies", "listAgents"]);
  const { nodes } = (body.data as { events: { nodes: readonly unknown[] } }).events;
  expect(nodes.slice(2, 4)).toEqual([
    { policy: null, agent: null },
    { policy: { id: "p-3" }, agent: null },
  ]);
});

it.each([
  ["a document that is cut off", "{ policies {", { line: 1, column: 13 }],
  ["an unknown field", "{\n  polcies { nodes { id } } }", { line: 2, column: 3 }],
  ["a mutation", "mutation { stop }", { line: 1, column: 1 }],
])("refuses %s where it stands", async (_what, query, at) => {
  expect(await refusal(query)).toMatchObject({ locations: [at], extensions: { code: "invalid_request" } });
});

/** 1,200 nodes: 200 events, and five agents for each. */
const DEAR = "events(first: 200) { nodes { agent { parent { parent { parent { parent { id } } } } } } }";

const nested = (levels: number) =>
  `{ event(id: "x") { agent ${"{ parent ".repeat(levels)} { id } ${"}".repeat(levels)} } }`;

// proves GQL-05
it.each([
  ["a depth above 8", nested(6), "at most 8 levels of fields, found 9. Ask for the deeper"],
  [
    "a selection set above 100",
    `{ whoami { ${"role ".repeat(101)} } }`,
    "at most 100 entries of a selection set, found 101",
  ],
  ["a key above 20 times", `{ whoami { ${"role ".repeat(21)} } }`, "found 21. Name the field once"],
  [
    "a fragment that contains itself",
    "{ ...a } fragment a on Query { ...b } fragment b on Query { ...a }",
    "fragments that do not contain themselves",
  ],
  ["a document above 500 tokens", `{ ${"a ".repeat(500)} }`, "found more. Ask for fewer fields"],
  ["a cost above 2,000", `{ ${DEAR} a: ${DEAR.replace("200", "2000")} }`, "The question costs 2400"],
])("refuses %s, and names it", async (_what, query, detail) => {
  expect(await refusal(query)).toMatchObject({
    message: expect.stringContaining(detail) as unknown,
    extensions: { code: "too_much_work" },
  });
});

it("shows where a document is too deep, or names a field too often", async () => {
  expect(await refusal(nested(6))).toMatchObject({ locations: [{ line: 1, column: 1 }] });
  expect(await refusal(`{ whoami { ${"role ".repeat(21)} } }`)).toMatchObject({
    locations: [{ line: 1, column: 112 }],
  });
});

it("takes a question at the limits", async () => {
  expect((await asking({}).answer(nested(5))).status).toBe(200);
  expect((await asking({}).answer(`{ whoami { ${"role ".repeat(20)} } }`)).status).toBe(200);
});

it("refuses a page of no nodes, and a variable of another type", async () => {
  expect(await refusal("{ policies(first: 0) { nodes { id } } }")).toMatchObject({
    message: "first: expected a number from 1 to 200, found 0",
  });
  expect(await refusal("query($n: Int) { policies(first: $n) { nodes { id } } }", { n: "x" })).toMatchObject({
    extensions: { code: "invalid_request" },
  });
});

it("ends an answer that grows too large", async () => {
  const row = { text: "x".repeat(1_000_000) };
  const rows = Array.from({ length: 10 }, () => ({ id: "gw.1", row }));
  const { answer } = asking({ listAuditRows: { rows, next_cursor: null } });
  const { body } = await answer("{ events { nodes { a: row b: row } } }");
  expect(body).toMatchObject({ data: null, errors: [{ extensions: { code: "too_much_work" } }] });
});

// proves GQL-06
it("introspection shows the schema to tools that ask for all of it", async () => {
  const { body } = await asking({}).answer(
    getIntrospectionQuery({ inputValueDeprecation: true, specifiedByUrl: true }),
  );
  expect(printSchema(buildClientSchema(body.data as IntrospectionQuery))).toBe(printSchema(schema));
});
