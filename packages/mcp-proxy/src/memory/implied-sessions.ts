import { hash, randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { sessionOfHeaders } from "@svc/tool-calls/mcp-session";
import type { Caller } from "../headers/caller.ts";
import { IMPLIED_SESSION_IDLE_MS, MAX_IMPLIED_SESSIONS } from "../limits.ts";
import type { McpProxySettings } from "../mcp-proxy-settings.ts";
import { FairEvictionMap } from "./fair-eviction-map.ts";

/** What distinguishes clients without a session. */
interface Client {
  readonly agentId: string;
  readonly address: string;
  readonly userAgent: string;
}

interface Conversation {
  readonly sessionId: string;
  readonly usedMs: number;
}

/**
 * Sessions for clients that name none. A session ends after IMPLIED_SESSION_IDLE_MS without a request.
 * Past MAX_IMPLIED_SESSIONS the agent with the most loses its oldest, whose client gets a new one with
 * its next call.
 */
export class ImpliedSessions {
  readonly #conversations = new FairEvictionMap<Conversation>(MAX_IMPLIED_SESSIONS);
  readonly #monotonicMs: () => number;

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
  }

  of({ agentId, address, userAgent }: Client): string {
    const key = hash("sha256", JSON.stringify([agentId, address, userAgent]));
    const nowMs = this.#monotonicMs();
    const earlier = this.#conversations.get(key);
    const isOver = earlier === undefined || nowMs - earlier.usedMs > IMPLIED_SESSION_IDLE_MS;
    const sessionId = isOver ? `mcp-client:${randomUUID()}` : earlier.sessionId;
    this.#conversations.set(agentId, key, { sessionId, usedMs: nowMs });
    return sessionId;
  }
}

export interface ImpliedSessionParts {
  readonly settings: Pick<McpProxySettings, "sessionFallback">;
  readonly impliedSessions: ImpliedSessions;
}

/** The caller, with an implied session if its headers name none. */
export function withImpliedSession(
  caller: Caller,
  { headers, socket }: Pick<IncomingMessage, "headers" | "socket">,
  { settings, impliedSessions }: ImpliedSessionParts,
): Caller {
  const { agentId } = caller;
  const isNamed = agentId === null || sessionOfHeaders(caller) !== null;
  if (settings.sessionFallback === "off" || isNamed) return caller;
  // The address of the connection: a client can write any address into a header.
  const address = socket.remoteAddress ?? "unknown";
  const userAgent = headers["user-agent"] ?? "";
  return { ...caller, impliedSession: impliedSessions.of({ agentId, address, userAgent }) };
}
