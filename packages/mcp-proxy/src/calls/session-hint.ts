/** How a call gets a session at this adapter, for a deny that misses one. */
export const SESSION_HINT =
  "the header X-Svc-Session-Id, or SVC_MCP_SESSION_FALLBACK=client for clients that send no session";
