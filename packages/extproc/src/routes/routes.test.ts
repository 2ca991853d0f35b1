import { readFileSync } from "node:fs";
import { join } from "node:path";
import { OVERRIDE_HEADERS } from "@svc/tool-calls/override-headers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readHeaderList } from "../wire/header-list.ts";
import { DEFAULT_ROUTES } from "./default-routes.ts";
import { readIdentity } from "./identity.ts";
import { parseRouteTable } from "./parse-route-table.ts";
import { compilePathTemplate, matchPath, splitPath } from "./path-template.ts";
import { planRequest } from "./plan-request.ts";

const SHIPPED = readFileSync(
  join(import.meta.dirname, "..", "..", "..", "..", "envoy", "routes.yaml"),
  "utf8",
);
const FREE = { agentId: null, namespace: null };

function plan(table: string | null, pairs: readonly (readonly [string, string])[]): string {
  const headers = readHeaderList(pairs.map(([key, value]) => ({ key, raw_value: Buffer.from(value) })));
  const facts = { headers, attributes: new Map<string, string>(), metadata: new Map<string, string[]>() };
  const found = planRequest(table === null ? DEFAULT_ROUTES : parseRouteTable(table), facts, FREE);
  if (!found.ok) return found.deny.reason_code;
  return found.value.judges === null
    ? "passes"
    : `${found.value.judges} as ${found.value.route?.route.shape.kind}`;
}

const request = (
  method: string,
  path: string,
  ...more: (readonly [string, string])[]
): (readonly [string, string])[] => [[":method", method], [":path", path], ["x-svc-agent-id", "a"], ...more];

describe("the route of a request", () => {
  // proves XPR-08
  it.each([
    [null, request("POST", "/any/where"), "request as mcp"],
    [null, request("GET", "/any/where"), "request_malformed"],
    [SHIPPED, request("POST", "/mcp?x=1"), "request as mcp"],
    [SHIPPED, request("POST", "/refunds"), "request as rest"],
    [SHIPPED, request("POST", "/v1/messages"), "response as anthropic"],
    [SHIPPED, request("GET", "/docs/a/b"), "passes"],
    [SHIPPED, request("POST", "/docs/a/b"), "request_malformed"],
    [SHIPPED, request("POST", "/mcp/x"), "request_malformed"],
    ["unmatched: allow\nroutes: [{path: /a, shape: mcp}]", request("POST", "/b"), "passes"],
    ["unmatched: allow\nroutes: [{path: /a, shape: mcp}]", request("POST", "/b/../a"), "request_malformed"],
    [
      "unmatched: allow\nroutes: [{path: /a, shape: mcp}]",
      request("POST", "/b%2f..%2fa"),
      "request_malformed",
    ],
    [SHIPPED, request("POST", "/refunds", ["x-http-method-override", "GET"]), "request_malformed"],
    [SHIPPED, request("POST", "/refunds", ["X-Svc-Agent-Id", "b"]), "request_malformed"],
    [
      SHIPPED,
      request("POST", "/refunds", ["x-svc-session-id", "1"], ["x-svc-session-id", "2"]),
      "request_malformed",
    ],
    [SHIPPED, request("POST", "/refunds", ["content-type", "a"], ["content-type", "b"]), "request_malformed"],
    [SHIPPED, request("POST", "/refunds", [":path", "/mcp"]), "request_malformed"],
    [
      SHIPPED,
      [
        [":method", "POST"],
        [":path", "/refunds"],
      ] as const,
      "agent_unknown",
    ],
  ])("X9: table %#", (table, headers, wanted) => {
    expect(plan(table, headers)).toBe(wanted);
  });
});

const ALLOW_THE_REST = "unmatched: allow\nroutes: [{path: /a, shape: mcp}]";

// proves ADP-06
describe.each([
  ["a governed route", SHIPPED, "/refunds"],
  ["an ungoverned route", SHIPPED, "/docs/a"],
  ["no route, with unmatched: allow", ALLOW_THE_REST, "/b"],
])("an override header on %s", (_, table, path) => {
  it.each(OVERRIDE_HEADERS.map(({ name }) => name))("%s is refused", (name) => {
    const method = path === "/docs/a" ? "GET" : "POST";
    expect(plan(table, request(method, path))).not.toBe("request_malformed");
    for (const spelling of [name, name.toUpperCase(), name.replaceAll("-", "_"), name.replaceAll("-", ".")])
      expect(plan(table, request(method, path, [spelling, "x"]))).toBe("request_malformed");
  });
});

// proves ADP-07
it.each(["upgrade", "http2-settings", "Upgrade", "http2_settings", ":protocol"])(
  "%s is refused on a governed route, and left to the proxy on an ungoverned one",
  (name) => {
    expect(plan(SHIPPED, request("POST", "/refunds", [name, "websocket"]))).toBe("request_malformed");
    expect(plan(SHIPPED, request("GET", "/docs/a", [name, "websocket"]))).toBe("passes");
  },
);

describe("a header that a server could take for a governed one", () => {
  it.each([
    "x_http_method_override",
    "X-HTTP_Method-Override",
    "x.original.url",
    "x_svc_agent_id",
    "X_Svc_Decision",
    "x-svc_tool",
    "mcp_name",
    "mcp-param_region",
    "content_type",
    "content.length",
    "transfer_encoding",
  ])("X11: %s is refused", (name) => {
    expect(plan(SHIPPED, request("POST", "/refunds", [name, "x"]))).toBe("request_malformed");
  });

  it.each(["x_request_id", "mcpx_name", "x-forwarded-for", "accept_language"])("%s is not", (name) => {
    expect(plan(SHIPPED, request("POST", "/refunds", [name, "x"]))).toBe("request as rest");
  });

  it("X11: counts beside the header that the table names, too", () => {
    const table = "routes: [{path: /a, shape: mcp, identity: {agent: [{header: x_caller-id}]}}]";
    const from = (name: string) => plan(table, request("POST", "/a", ["x_caller-id", "a"], [name, "b"]));
    expect(from("x-caller-id")).toBe("request_malformed");
    expect(from("x_caller-id")).toBe("request_malformed");
    expect(from("x-other-id")).toBe("request as mcp");
  });
});

describe("a route table", () => {
  it.each([
    ["", "expected routes, found nothing"],
    ["# nothing", "expected routes, found nothing"],
    ["7", "expected object"],
    ["routes: [{path: /a, shape: mcp, param_headers: {x-foo: a}}]", "x-foo: expected mcp-param-"],
    ["routes: [{path: /a}]", "routes.0.shape: expected a shape: mcp, rest"],
    [
      "routes: [{path: /a/**, shape: mcp}, {path: '/a/{b}', methods: [POST, GET], shape: rest, tool: t}]",
      "routes.1 .* last of them routes.0",
    ],
    [
      "routes: [{path: '/{a}', shape: openai}, {path: /a, shape: anthropic}]",
      "routes.1 .* last of them routes.0",
    ],
    [
      [
        "routes: [{path: /a, methods: [GET], shape: ungoverned}, {path: /a, shape: openai},",
        "{path: /a, methods: [POST, GET], shape: mcp}]",
      ].join(" "),
      "routes.2 .* last of them routes.1",
    ],
    ["routes: []", "routes"],
    ["routes: [{path: /a, shape: other}]", "routes.0.shape: expected a shape: mcp, rest"],
    ["routes: [{path: /a, shape: rest}]", "routes.0.tool"],
    ["routes: [{path: a, shape: mcp}]", "starts with /"],
    ["routes: [{path: /a/**/b, shape: mcp}]", "routes.0.path"],
    ["routes: [{path: '/{a}/{a}', shape: mcp}]", "different names"],
    ["routes: [{path: /a, shape: mcp, tool: t}]", "routes.0"],
    ["routes: [{path: /a, shape: mcp}]\nunmatched: pass", "unmatched"],
    ["routes: [{path: /a, shape: mcp}]\nroutes: []", "not YAML"],
    ["routes: [{path: /a, shape: mcp, identity: {agent: [{header: A}]}}]", "identity.agent"],
    ["routes: [{path: /a, shape: mcp, identity: {agent: [{fixed: a, header: b}]}}]", "identity.agent"],
    ["routes: [{path: /a, shape: mcp, identity: {agent: []}}]", "identity.agent"],
    ["a: &a [1]\nroutes: *a", "alias"],
  ])("is refused, naming the fault: %j", (text, named) => {
    expect(() => parseRouteTable(text)).toThrow(new RegExp(named.replaceAll("/", "\\/"), "i"));
  });

  it("may name a path twice when each route has requests of its own", () => {
    const { routes } = parseRouteTable(
      [
        "routes: [{path: /a/b, shape: rest, tool: t}, {path: '/a/{b}', shape: rest, tool: t},",
        "{path: /a/**, shape: rest, tool: t}, {path: /a, methods: [GET], shape: rest, tool: t},",
        "{path: /**, shape: ungoverned}]",
      ].join(" "),
    );
    expect(routes).toHaveLength(5);
  });

  it.each([
    ["mcp", "POST,GET,DELETE"],
    ["rest, tool: t", "POST"],
    ["openai", "POST"],
    ["anthropic", "POST"],
    ["ungoverned", "GET,HEAD,POST,PUT,PATCH,DELETE,OPTIONS"],
  ])("has methods for a route that names none: %s", (shape, methods) => {
    expect(String(parseRouteTable(`routes: [{path: /a, shape: ${shape}}]`).routes[0]?.methods)).toBe(methods);
  });

  it("may name sources for all routes and for one", () => {
    const { routes } = parseRouteTable(
      [
        "identity: {agent: [{attribute: cert}]}",
        "routes: [{path: /a, shape: mcp}, {path: /b, shape: mcp, identity: {agent: [{fixed: b}]}}]",
      ].join("\n"),
    );
    expect(routes.map(({ identity }) => identity.agent)).toEqual([
      [{ kind: "attribute", name: "cert" }],
      [{ kind: "fixed", value: "b" }],
    ]);
  });
});

describe("an identity", () => {
  const sources = {
    agent: [
      { kind: "metadata", name: "m" },
      { kind: "attribute", name: "c" },
      { kind: "header", name: "h" },
    ],
    session: [],
    namespace: [{ kind: "fixed", value: "ns" }],
  } as const;
  const facts = (metadata: string[], attribute: string | null, header: string[]) => ({
    metadata: new Map(metadata.length === 0 ? [] : [["m", metadata]]),
    attributes: new Map(attribute === null ? [] : [["c", attribute]]),
    headers: new Map(header.length === 0 ? [] : [["h", header]]),
  });
  it.each([
    [facts(["a"], "b", ["c"]), FREE, "a"],
    [facts([], "b", ["c"]), FREE, "b"],
    [facts([], null, ["c"]), FREE, "c"],
    [facts([], null, []), FREE, "agent_unknown"],
    [facts([], null, []), { agentId: "f", namespace: null }, "f"],
    [facts([], null, ["c"]), { agentId: "f", namespace: null }, "request_malformed"],
    [facts(["a", "b"], null, []), FREE, "request_malformed"],
    [facts(["a"], null, []), { agentId: null, namespace: "other" }, "request_malformed"],
  ])("X11: comes from the first source that has one: %#", (given, fixed, wanted) => {
    const identity = readIdentity(sources, given, fixed);
    expect(identity.ok ? identity.value.agentId : identity.deny.reason_code).toBe(wanted);
  });
});

// proves ADP-15
describe("the namespace of an agent that the configuration fixes", () => {
  const settings = { agentId: "f", namespace: null };
  const route = { kind: "fixed", value: "f" } as const;
  const ofRoute = { kind: "fixed", value: "m" } as const;
  const agent = { kind: "header", name: "a" } as const;
  const header = { kind: "header", name: "n" } as const;
  const asked = { n: "m" };
  const refused = "request_malformed";
  it.each([
    { name: "by the settings, is the default one", fixed: settings, wanted: "default" },
    { name: "by the settings, may be repeated", fixed: settings, says: { n: "default" }, wanted: "default" },
    { name: "by the settings, is not that of a request", fixed: settings, says: asked, wanted: refused },
    { name: "by the settings, may be that of the route", fixed: settings, namespace: ofRoute, wanted: "m" },
    { name: "by the route, is the default one", agents: [route], wanted: "default" },
    { name: "by the route, is not that of a request", agents: [route], says: asked, wanted: refused },
    { name: "by the route as a last resort", agents: [agent, route], says: asked, wanted: refused },
    { name: "nowhere, is that of the request", agents: [agent], says: { a: "b", n: "m" }, wanted: "m" },
  ])("$name", ({ fixed = FREE, agents = [], namespace = header, says = {}, wanted }) => {
    const facts = {
      metadata: new Map(),
      attributes: new Map(),
      headers: new Map(Object.entries(says).map(([name, value]) => [name, [value]])),
    };
    const sources = { agent: agents, namespace: [namespace], session: [] };
    const identity = readIdentity(sources, facts, fixed);
    expect(identity.ok ? identity.value.namespace : identity.deny.reason_code).toBe(wanted);
  });
});

describe("a path", () => {
  it.each([
    "",
    "a",
    "/a//b",
    "/a/",
    "/./a",
    "/a/..",
    "/%2e%2e/a",
    "/a%2fb",
    "/a%5cb",
    "/a\\b",
    "/a;x",
    "/a%00",
    "/%zz",
    "/%ff",
    "/a b",
    "/ä",
  ])("that servers read differently is none: %j", (path) => {
    expect(splitPath(path)).toBeNull();
  });

  it("matches its template exactly, and parameters are decoded", () => {
    const template = compilePathTemplate("/orders/{id}/items");
    expect(matchPath(template, splitPath("/orders/a%20b/items") ?? [])).toEqual(new Map([["id", "a b"]]));
    for (const other of ["/orders/a", "/orders/a/items/b", "/Orders/a/items", "/orders/a/item"]) {
      expect(matchPath(template, splitPath(other) ?? [])).toBeNull();
    }
  });

  it("of any escaped segments is split into exactly these segments, or into none", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ minLength: 1, unit: "grapheme" }), { minLength: 1, maxLength: 4 }),
        (segments) => {
          const found = splitPath(`/${segments.map(encodeURIComponent).join("/")}`);
          if (found !== null) expect(found).toEqual(segments);
        },
      ),
    );
  });
});
