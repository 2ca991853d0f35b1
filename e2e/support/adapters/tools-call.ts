/** The body of an MCP call. */
export function toolsCall(args: object, name = "payments.refund"): string {
  return JSON.stringify({ jsonrpc: "2.0", id: 7, method: "tools/call", params: { name, arguments: args } });
}
