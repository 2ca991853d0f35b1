import type { JsonObject } from "@svc/text/json-value";
import { namedTrace } from "@svc/tool-calls/in-trace";
import { metaOf } from "@svc/tool-calls/mcp-message";
import type { Caller } from "./caller.ts";

/** The trace of a call: that of its header, else `_meta.traceparent`, which clients without headers write. */
export function callTrace(
  { traceparent }: Pick<Caller, "traceparent">,
  params: JsonObject,
): string | undefined {
  if (traceparent !== undefined) return traceparent;
  const meta = metaOf(params);
  const named = Object.hasOwn(meta, "traceparent") ? meta["traceparent"] : undefined;
  return typeof named === "string" ? namedTrace([named]) : undefined;
}
