import type { RpcRequest } from "@svc/tool-calls/mcp-message";
import type { Caller } from "../headers/caller.ts";
import type { Exchange } from "../upstream/mcp-server.ts";

/** A body whose caller is known, with its bytes as they came. */
export interface SentMessage extends Exchange {
  readonly caller: Caller;
  readonly bytes: Buffer;
}

/** A request with an id. */
export interface SentRequest extends SentMessage {
  readonly rpc: RpcRequest;
}
