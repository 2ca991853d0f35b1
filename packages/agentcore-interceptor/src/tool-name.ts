import { malformed, ok, type Result } from "@svc/tool-calls/result";
import type { ToolNames } from "./interceptor-settings.ts";

/** A gateway names its tools by target and tool; a target's own name holds no underscore. */
const OF_TARGET = /^([A-Za-z0-9-]+)___(.+)$/s;

/** Tools of the gateway itself, such as its search over tools. */
const OF_GATEWAY = /^x_amz_[a-z0-9_]+$/;

/**
 * The name that is judged. No two tools of a gateway become one: a target's name holds no dot, and what is of
 * no target is refused, since a changed separator would otherwise pass by every list of denied tools.
 */
export function judgedName(name: string, form: ToolNames): Result<string> {
  if (form === "as_given" || OF_GATEWAY.test(name)) return ok(name);
  const [, target, tool] = OF_TARGET.exec(name) ?? [];
  if (target === undefined || tool === undefined)
    return malformed("params.name", "target___tool, as the gateway names its tools");
  return ok(`${target}.${tool}`);
}
