import type { IncomingMessage } from "node:http";
import { singleHeader } from "@svc/http-edge/single-header";

/** Names under which only this machine reaches itself. */
export const LOOPBACK_NAMES: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];

const AUTHORITY = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+?)\.?(?::[0-9]{1,5})?$/;
const ORIGIN = /^https?:\/\/([^/]+)$/;

/**
 * Why a request may not come in by the name it uses; null: it may. A page of a foreign site that had its own
 * name pointed at this machine is told apart by these two headers alone, and the server behind cannot do it
 * any more: it is sent its own name.
 */
export function accessFault(request: IncomingMessage, allowedHosts: readonly string[]): string | null {
  const host = singleHeader(request, "host");
  if (host.kind !== "value" || !isAllowed(host.value, allowedHosts)) {
    return "Host is none of SVC_MCP_ALLOWED_HOSTS";
  }
  const origin = singleHeader(request, "origin");
  if (origin.kind === "absent") return null;
  const authority = origin.kind === "value" ? ORIGIN.exec(origin.value.toLowerCase())?.[1] : undefined;
  if (authority !== undefined && isAllowed(authority, allowedHosts)) return null;
  return "Origin is none of SVC_MCP_ALLOWED_HOSTS";
}

function isAllowed(authority: string, allowedHosts: readonly string[]): boolean {
  const name = AUTHORITY.exec(authority.toLowerCase())?.[1];
  return name !== undefined && allowedHosts.includes(name);
}
