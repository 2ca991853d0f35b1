import { malformed, ok, type Result } from "@svc/tool-calls/result";
import type { ToolNames } from "./interceptor-settings.ts";

/** A gateway names its tools by target and tool. The name of a target has no underscore. */
const OF_TARGET = /^([A-Za-z0-9-]+)___(.+)$/s;

/** Tools of the gateway itself, such as its search over tools. */
const OF_GATEWAY = /^x_amz_[a-z0-9_]+$/;

/**
 * The name that is judged. Two tools of a gateway never get the same name, because the name of a
 * target has no dot. A name without a target is refused: otherwise a changed separator would evade a
 * list of denied tools.
 */
export function judgedName(name: string, form: ToolNames): Result<string> {
  if (form === "as_given" || OF_GATEWAY.test(name)) return ok(name);
  const [, target, tool] = OF_TARGET.exec(name) ?? [];
  if (target === undefined || tool === undefined)
    return malformed("params.name", "target___tool, as the gateway names its tools");
  return ok(`${target}.${tool}`);
}
