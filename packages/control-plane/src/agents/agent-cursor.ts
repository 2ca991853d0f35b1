const PREFIX = "agent:";

/** The place in a list of agents as a text that clients pass back unread. */
export function agentCursor(id: string): string {
  return Buffer.from(`${PREFIX}${id}`, "utf8").toString("base64url");
}

/** Null for a text that is not a cursor of a list of agents. */
export function parseAgentCursor(text: string): string | null {
  const decoded = Buffer.from(text, "base64url").toString("utf8");
  if (!decoded.startsWith(PREFIX) || decoded.includes("\0")) return null;
  const id = decoded.slice(PREFIX.length);
  return agentCursor(id) === text ? id : null;
}
