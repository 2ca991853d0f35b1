// A small MCP server over Streamable HTTP, for docs/TUTORIAL.md: node examples/mcp-server.mjs [port]
import { createServer } from "node:http";

const ORDER = { type: "object", properties: { order: { type: "string" } }, required: ["order"] };
const REFUND = {
  type: "object",
  properties: { order: { type: "string" }, amount: { type: "number" } },
  required: ["order", "amount"],
};

const TOOLS = [
  {
    name: "orders.read",
    description: "Reads an order.",
    inputSchema: ORDER,
    annotations: { readOnlyHint: true },
    run: ({ order }) => `order ${order}: 20 USD, paid`,
  },
  {
    name: "payments.refund",
    description: "Refunds money.",
    inputSchema: REFUND,
    annotations: { readOnlyHint: false, destructiveHint: true },
    run: ({ order, amount }) => `refunded ${amount} USD for order ${order}`,
  },
];

const METHODS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "shop", version: "1.0.0" },
  }),
  ping: () => ({}),
  "tools/list": () => ({ tools: TOOLS.map(({ run: _, ...tool }) => tool) }),
  "tools/call": ({ name, arguments: args = {} }) => {
    const tool = TOOLS.find((one) => one.name === name);
    if (tool === undefined) throw new Error(`no tool ${name}`);
    return { content: [{ type: "text", text: tool.run(args) }] };
  },
};

function answer({ id, method, params = {} }) {
  try {
    const run = METHODS[method];
    if (run === undefined)
      return { jsonrpc: "2.0", id, error: { code: -32601, message: `no method ${method}` } };
    return { jsonrpc: "2.0", id, result: run(params) };
  } catch (error) {
    return { jsonrpc: "2.0", id, error: { code: -32602, message: error.message } };
  }
}

async function serve(request, response) {
  if (request.method !== "POST") return response.writeHead(405, { allow: "POST" }).end();
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const message = JSON.parse(Buffer.concat(chunks).toString());
  if (message.id === undefined) return response.writeHead(202).end();
  return response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer(message)));
}

const server = createServer((request, response) => {
  serve(request, response).catch(() => response.writeHead(400).end());
});
server.listen(Number(process.argv[2] ?? 3001), "127.0.0.1");
