import { type AdapterOptions, checkedOptions } from "./adapter-options.ts";
import { schemaCheck } from "./schema-check.ts";
import { ToolGovernor } from "./tool-governor.ts";

export type { AdapterOptions } from "./adapter-options.ts";

interface McpContext {
  readonly sessionId?: string;
  readonly mcpReq?: { readonly id?: number | string; readonly signal?: AbortSignal };
}

interface McpResult {
  readonly isError?: boolean;
}

type McpHandler = (...given: readonly unknown[]) => Promise<McpResult> | McpResult;

interface McpTool {
  update(changes: {
    readonly callback?: McpHandler;
    readonly paramsSchema?: unknown;
    readonly name?: unknown;
  }): void;
}

interface McpServerLike {
  readonly server: object;
  readonly registerTool: (name: string, config: { inputSchema?: unknown }, handler: McpHandler) => McpTool;
  readonly _registeredTools?: object;
  readonly tool?: unknown;
  readonly experimental?: unknown;
}

const BRAND = Symbol.for("@svc/client/governed-mcp-server");

/**
 * Judges each tool of a server before it runs. Call it before the first tool is registered. It changes the
 * server, and returns it.
 * @throws TypeError for a server that already has tools, and for an option that is not usable.
 */
export function governed<Server extends object>(server: Server, options: AdapterOptions): Server {
  const checked = checkedOptions(options, "runs all");
  if (!isServer(server)) throw new TypeError("server: expected an McpServer of @modelcontextprotocol/server");
  if (BRAND in server) throw new TypeError("server: expected a server that is not governed yet");
  const before = Object.keys(server._registeredTools ?? {});
  if (before.length > 0)
    throw new TypeError(
      `server: expected a server without tools, found ${before.join(", ")}. Govern it first`,
    );
  const governor = new ToolGovernor(checked);
  const registerTool = server.registerTool.bind(server);
  Object.defineProperties(server, {
    [BRAND]: { value: true },
    registerTool: {
      value: (name: string, config: { inputSchema?: unknown }, handler: McpHandler) => {
        const judged = (inner: McpHandler): McpHandler =>
          judgedHandler(governor, { name, schema: config.inputSchema, handler: inner });
        return guarded(registerTool(name, config, judged(handler)), judged);
      },
    },
    ...refusedWays(server),
  });
  return server;
}

/** A tool can be given another handler later, which is then judged, and no other schema or name. */
function guarded(registered: McpTool, judged: (handler: McpHandler) => McpHandler): McpTool {
  const update = registered.update.bind(registered);
  const guardedUpdate: McpTool["update"] = (changes) => {
    if (changes.paramsSchema !== undefined || typeof changes.name === "string")
      throw new TypeError(
        "update: expected a governed tool to keep its name and schema. Register another tool",
      );
    const { callback } = changes;
    update(callback === undefined ? changes : { ...changes, callback: judged(callback) });
  };
  return Object.defineProperty(registered, "update", { value: guardedUpdate });
}

/** Other ways to register a tool, of which this adapter does not know what they run. */
function refusedWays(server: McpServerLike): PropertyDescriptorMap {
  const refused = (way: string): PropertyDescriptor => ({
    get: () => {
      throw new TypeError(`${way}: expected tools of a governed server to be registered with registerTool`);
    },
  });
  const ways = (["tool", "experimental"] as const).filter((way) => way in server);
  return Object.fromEntries(ways.map((way) => [way, refused(way)]));
}

interface JudgedTool {
  readonly name: string;
  readonly schema: unknown;
  readonly handler: McpHandler;
}

function judgedHandler(governor: ToolGovernor, { name, schema, handler }: JudgedTool): McpHandler {
  const takesArgs = schema !== undefined;
  const checkArgs = schemaCheck(schema, "parsed");
  return (...given) => {
    const args = takesArgs ? given[0] : {};
    const rest = takesArgs ? given.slice(1) : given;
    const { sessionId, mcpReq } = (rest[0] ?? {}) as McpContext;
    // Ids of requests count from one in every connection, so that they name nothing without a session.
    const callId = sessionId === undefined || mcpReq?.id === undefined ? undefined : String(mcpReq.id);
    const call = { tool: name, args, callId, sessionId, signal: mcpReq?.signal, context: rest[0] };
    return governor.run<McpResult>(
      { ...call, checkArgs: takesArgs ? checkArgs : undefined },
      {
        run: (allowed) => (takesArgs ? handler(allowed, ...rest) : handler(...rest)),
        refuse: ({ text }) => ({ content: [{ type: "text", text }], isError: true }),
        endOf: (result) => (result.isError === true ? "failed" : "succeeded"),
      },
    );
  };
}

function isServer(value: object): value is McpServerLike {
  return "registerTool" in value && typeof value.registerTool === "function" && "server" in value;
}
