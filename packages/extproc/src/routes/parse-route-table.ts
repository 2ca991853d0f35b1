import { IDENTIFIER_EXPECTATION } from "@svc/contract/identifier";
import { identifierSchemaFor } from "@svc/contract/identifier-schema";
import { nameSchema } from "@svc/contract/name-schema";
import { parseDocument } from "yaml";
import { z } from "zod";
import { DEFAULT_IDENTITY } from "./default-routes.ts";
import { findHiddenRoute } from "./hidden-route.ts";
import { compilePathTemplate } from "./path-template.ts";
import type { IdentitySource, IdentitySources, Route, RouteTable } from "./route-table.ts";

/** Largest route table in bytes: hundreds of routes, and no alias bomb. */
const MAX_TABLE_BYTES = 256 * 1024;

/** Most routes of one table, as count, because every request tries them in order. */
const MAX_ROUTES = 500;

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

/** The methods of a route that names none. MCP opens streams with GET and ends sessions with DELETE. */
const DEFAULT_METHODS: Readonly<Record<Route["shape"]["kind"], readonly string[]>> = {
  mcp: ["POST", "GET", "DELETE"],
  rest: ["POST"],
  openai: ["POST"],
  anthropic: ["POST"],
  ungoverned: METHODS,
};

const headerName = z
  .string()
  .regex(/^[a-z0-9!#$%&'*+.^_`|~-]{1,128}$/, { error: "expected a header name in lower case" });
const argumentName = z.string().min(1).max(128);

const source = z
  .union(
    [
      z.strictObject({ metadata: headerName }),
      z.strictObject({ attribute: argumentName }),
      z.strictObject({ header: headerName }),
      z.strictObject({ fixed: nameSchema }),
    ],
    {
      error: "expected exactly one of metadata, attribute, header (names in lower case), fixed (a name)",
    },
  )
  .transform(sourceOf);

const sources = z.array(source).min(1).max(8);

const identity = z.strictObject({
  agent: sources.optional(),
  session: sources.optional(),
  namespace: sources.optional(),
});

const path = z.string().transform((text, context) => {
  try {
    return compilePathTemplate(text);
  } catch (error) {
    const expected = error instanceof Error ? error.message : String(error);
    context.addIssue({ code: "custom", message: `expected ${expected}, found ${JSON.stringify(text)}` });
    return z.NEVER;
  }
});

const common = { path, methods: z.array(z.enum(METHODS)).min(1).optional(), identity: identity.optional() };

const route = z.discriminatedUnion(
  "shape",
  [
    z.strictObject({
      ...common,
      shape: z.literal("mcp"),
      server_id: identifierSchemaFor(IDENTIFIER_EXPECTATION).optional(),
      param_headers: z
        .record(
          z.string().regex(/^mcp-param-[a-z0-9-]{1,64}$/, { error: "expected mcp-param-... in lower case" }),
          argumentName,
        )
        .optional(),
    }),
    z.strictObject({ ...common, shape: z.literal("rest"), tool: nameSchema }),
    z.strictObject({ ...common, shape: z.literal("openai") }),
    z.strictObject({ ...common, shape: z.literal("anthropic") }),
    z.strictObject({ ...common, shape: z.literal("ungoverned") }),
  ],
  { error: "expected a shape: mcp, rest, openai, anthropic or ungoverned" },
);

const table = z.strictObject({
  unmatched: z.enum(["deny", "allow"]).optional(),
  identity: identity.optional(),
  routes: z.array(route).min(1).max(MAX_ROUTES),
});

/** Reads a route table. @throws naming every field at fault, what was expected and what came. */
export function parseRouteTable(text: string): RouteTable {
  if (Buffer.byteLength(text) > MAX_TABLE_BYTES) {
    throw new Error(`the route table: expected at most ${String(MAX_TABLE_BYTES)} bytes, found more`);
  }
  const document = parseDocument(text, { uniqueKeys: true, strict: true, schema: "core", version: "1.2" });
  const [fault] = [...document.errors, ...document.warnings];
  if (fault !== undefined) throw new Error(`the route table is not YAML: ${fault.message}`);
  if (document.contents === null) throw new Error("the route table: expected routes, found nothing");
  const parsed = table.safeParse(document.toJS({ maxAliasCount: 0 }));
  if (!parsed.success) throw new Error(`the route table is malformed:\n${faultsOf(parsed.error)}`);
  const shared = mergeIdentity(DEFAULT_IDENTITY, parsed.data.identity);
  const routes = parsed.data.routes.map((wire) => routeOf(wire, shared));
  refuseHidden(routes);
  return { unmatched: parsed.data.unmatched ?? "deny", routes };
}

/**
 * Refuses a route that no request can match. It is a mistake, and the requests that its author meant to
 * govern may go ungoverned.
 */
function refuseHidden(routes: readonly Route[]): void {
  const found = findHiddenRoute(routes);
  if (found === null) return;
  const [hidden, by] = [found.hidden, found.by].map(
    (at) => `routes.${String(at)} (${routes[at]?.path.text ?? ""})`,
  );
  throw new Error(
    `the route table is malformed:\n  ${hidden}: expected a route that some request reaches, ` +
      `found that earlier routes match all of its requests, the last of them ${by}`,
  );
}

function routeOf(wire: z.infer<typeof route>, shared: IdentitySources): Route {
  return {
    path: wire.path,
    methods: wire.methods ?? DEFAULT_METHODS[wire.shape],
    shape: shapeOf(wire),
    identity: mergeIdentity(shared, wire.identity),
  };
}

function shapeOf(wire: z.infer<typeof route>): Route["shape"] {
  switch (wire.shape) {
    case "mcp":
      return {
        kind: "mcp",
        serverId: wire.server_id ?? null,
        paramHeaders: new Map(Object.entries(wire.param_headers ?? {})),
      };
    case "rest":
      return { kind: "rest", tool: wire.tool };
    case "openai":
    case "anthropic":
    case "ungoverned":
      return { kind: wire.shape };
  }
}

type PartialIdentity = z.infer<typeof identity> | undefined;

function mergeIdentity(base: IdentitySources, over: PartialIdentity): IdentitySources {
  return {
    agent: over?.agent ?? base.agent,
    session: over?.session ?? base.session,
    namespace: over?.namespace ?? base.namespace,
  };
}

type WireSource = { metadata: string } | { attribute: string } | { header: string } | { fixed: string };

function sourceOf(wire: WireSource): IdentitySource {
  if ("metadata" in wire) return { kind: "metadata", name: wire.metadata };
  if ("attribute" in wire) return { kind: "attribute", name: wire.attribute };
  if ("header" in wire) return { kind: "header", name: wire.header };
  return { kind: "fixed", value: wire.fixed };
}

function faultsOf(error: z.ZodError): string {
  return error.issues
    .map((issue) => {
      const why =
        issue.code === "invalid_key" ? issue.issues.map(({ message }) => message).join(", ") : issue.message;
      return `  ${issue.path.join(".") || "(top)"}: ${why}`;
    })
    .join("\n");
}
