import { OpenRequests } from "./open-requests.ts";
import { Sessions } from "./sessions.ts";
import { ToolMirrors } from "./tool-mirrors.ts";

/** What the proxy remembers of what passed by: all of it bounded, and gone at a restart. */
export interface Memory {
  readonly sessions: Sessions;
  readonly mirrors: ToolMirrors;
  readonly openRequests: OpenRequests;
}

export function createMemory(): Memory {
  return { sessions: new Sessions(), mirrors: new ToolMirrors(), openRequests: new OpenRequests() };
}
