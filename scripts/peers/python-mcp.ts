import type { Peer } from "./peer.ts";
import { pinnedPython } from "./pinned-python.ts";

export const pythonMcp: Peer = pinnedPython({
  name: "python-mcp",
  purpose: "MCP clients and agent frameworks in Python",
  downloadMb: 97,
  folders: { "python-agents": "mcp/python/agents.txt", "python-mcp-2": "mcp/python/sdk-2.txt" },
});
