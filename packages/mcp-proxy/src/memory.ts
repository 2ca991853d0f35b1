import { OpenRequests } from "./open-requests.ts";
import type { McpProxyReporter } from "./reporter.ts";
import { Sessions } from "./sessions.ts";
import { Tasks } from "./tasks.ts";
import { ToolMirrors } from "./tool-mirrors.ts";
import { ToolPins, type ToolPinsPorts } from "./tool-pins.ts";

/** What the proxy remembers of what passed by: all of it bounded, and gone at a restart. */
export interface Memory {
  readonly sessions: Sessions;
  readonly mirrors: ToolMirrors;
  readonly openRequests: OpenRequests;
  readonly tasks: Tasks;
  readonly pins: ToolPins;
}

export interface MemoryPorts extends Omit<ToolPinsPorts, "onChanged"> {
  readonly monotonicMs: () => number;
  readonly reporter: Pick<McpProxyReporter, "found">;
}

export function createMemory({ monotonicMs, reporter, ...pins }: MemoryPorts): Memory {
  const onChanged = (tool: string): void =>
    reporter.found("tool_changed", `another definition than at first: ${tool}`);
  return {
    sessions: new Sessions(),
    mirrors: new ToolMirrors(),
    openRequests: new OpenRequests(),
    tasks: new Tasks(monotonicMs),
    pins: new ToolPins({ ...pins, onChanged }),
  };
}
