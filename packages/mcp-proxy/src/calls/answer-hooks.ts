import type { RpcRequest } from "@svc/tool-calls/mcp-message";
import type { Scope } from "../kills/kill-scopes.ts";
import type { McpProxyParts } from "../mcp-proxy-parts.ts";
import type { OnAnswer } from "../memory/open-requests.ts";
import { ownTasksOnly, taskIdOf } from "../memory/tasks.ts";

/**
 * What the proxy learns from the answer to a method before its client does, and what it takes out of it.
 * Holds on to the scope alone: it is kept for as long as the answer may come.
 */
export function answerHook({ method }: RpcRequest, scope: Scope, parts: McpProxyParts): OnAnswer {
  switch (method) {
    case "tools/call":
      return (answer) => {
        rememberTask(answer["result"], scope, parts);
        return answer;
      };
    case "tools/list":
      return (answer) => {
        parts.mirrors.learn(answer["result"]);
        if (parts.settings.toolPinning !== "off") parts.pins.learn(answer["result"]);
        return answer;
      };
    case "tasks/list":
      return (answer) =>
        Object.hasOwn(answer, "result")
          ? { ...answer, result: ownTasksOnly(answer["result"], scope, parts.tasks) }
          : answer;
    default:
      return (answer) => answer;
  }
}

/** A call that goes on behind a task: only its own caller may fetch it, and a kill still has to find it. */
function rememberTask(result: unknown, scope: Scope, { tasks, running }: McpProxyParts): void {
  const id = taskIdOf(result);
  if (id === null) return;
  tasks.began(scope, id);
  const behind = running.start({ scope, onBarred: () => tasks.killed(scope, id) });
  behind.linger();
  behind.release();
}
