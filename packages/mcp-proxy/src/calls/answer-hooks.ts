import type { RpcRequest } from "@svc/tool-calls/mcp-message";
import type { Scope } from "../kills/scope.ts";
import type { Judging } from "../mcp-proxy-parts.ts";
import type { Memory } from "../memory/memory.ts";
import type { OnAnswer } from "../memory/open-requests.ts";
import { ownTasksOnly, taskIdOf } from "../memory/tasks.ts";
import type { Reporting } from "../reporting.ts";

type HookParts = Reporting & Pick<Judging, "running"> & Pick<Memory, "mirrors" | "pins" | "tasks">;

/**
 * What the proxy does with the answer to a method before its client gets it: it learns from it, and takes out
 * what the client must not have. The hook is kept until the answer comes, so it holds on to the scope alone.
 */
export function answerHook({ method }: RpcRequest, scope: Scope, parts: HookParts): OnAnswer {
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

/**
 * A call continues in a task. Only its own caller may fetch the task, and a kill switch must still find it.
 */
function rememberTask(result: unknown, scope: Scope, { tasks, running }: HookParts): void {
  const id = taskIdOf(result);
  if (id === null) return;
  tasks.began(scope, id);
  const call = running.start({ scope, onBarred: () => tasks.killed(scope, id) });
  call.linger();
  call.release();
}
