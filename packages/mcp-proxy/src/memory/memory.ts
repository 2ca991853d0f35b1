import type { McpProxyReporter } from "../reporter.ts";
import { ImpliedSessions } from "./implied-sessions.ts";
import { OpenQuestions } from "./open-questions.ts";
import { OpenRequests } from "./open-requests.ts";
import type { PinFile } from "./pin-file.ts";
import { Sessions } from "./sessions.ts";
import { Tasks } from "./tasks.ts";
import { ToolMirrors } from "./tool-mirrors.ts";
import { ToolPins } from "./tool-pins.ts";

/** What the proxy remembers. All of it is bounded, and everything except pins is lost at a restart. */
export interface Memory {
  readonly sessions: Sessions;
  readonly mirrors: ToolMirrors;
  readonly openRequests: OpenRequests;
  readonly questions: OpenQuestions;
  readonly tasks: Tasks;
  readonly impliedSessions: ImpliedSessions;
  readonly pins: ToolPins;
}

export interface MemoryPorts {
  readonly monotonicMs: () => number;
  readonly reporter: Pick<McpProxyReporter, "found">;
  /** Null: pins are lost at a restart too. */
  readonly pins: Pick<PinFile, "known" | "add"> | null;
}

export function createMemory({ monotonicMs, reporter, pins }: MemoryPorts): Memory {
  const onChanged = (tool: string): void =>
    reporter.found("tool_changed", `the server changed the definition of the tool ${tool}`);
  return {
    sessions: new Sessions(),
    mirrors: new ToolMirrors(),
    openRequests: new OpenRequests(),
    questions: new OpenQuestions(),
    tasks: new Tasks(monotonicMs),
    impliedSessions: new ImpliedSessions(monotonicMs),
    pins: new ToolPins({
      known: pins?.known ?? new Map(),
      onPinned: (tool, pin) => pins?.add(tool, pin),
      onChanged,
    }),
  };
}
