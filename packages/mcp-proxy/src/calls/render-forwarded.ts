import { type AllowVerdict, shapedArgsOf } from "@svc/contract/verdict";
import type { JsonObject } from "@svc/text/json-value";
import { strictText } from "@svc/text/strict-text";
import { isToolCall, withArgs } from "@svc/tool-calls/mcp-call";
import type { RpcRequest } from "@svc/tool-calls/mcp-message";
import { ok, type Result } from "@svc/tool-calls/result";
import type { RawHeaders } from "../headers/caller.ts";
import { followArgs } from "../headers/mirror-fault.ts";
import type { Memory } from "../memory/memory.ts";
import type { SentRequest } from "./sent-message.ts";
import { withInputs } from "./task-update.ts";

/** An allowed call as the server gets it. */
export interface ForwardedCall {
  readonly body: Buffer;
  readonly headers: RawHeaders;
}

/** Writes an allowed call anew, so that the server reads exactly what was judged. */
export function renderForwarded(
  { rpc, request }: SentRequest,
  { mirrors }: Pick<Memory, "mirrors">,
  allow: AllowVerdict,
): Result<ForwardedCall> {
  const shaped = shapedArgsOf(allow);
  const document = shaped === null ? rpc.document : rewritten(rpc, shaped);
  const body = Buffer.from(strictText(document), "utf8");
  const { name } = rpc.params;
  if (shaped === null || !isToolCall(rpc) || typeof name !== "string") return ok({ body, headers: request });
  const followed = followArgs(request, mirrors.of(name), shaped);
  return followed.ok ? ok({ body, headers: { rawHeaders: followed.value } }) : followed;
}

function rewritten(rpc: RpcRequest, shaped: JsonObject): JsonObject {
  return rpc.method === "tasks/update" ? withInputs(rpc, shaped) : withArgs(rpc, shaped);
}
