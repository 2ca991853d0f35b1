import type { Identity } from "@svc/tool-calls/identity";

/** How a tool's name at the gateway becomes the name that is judged. */
export type ToolNames = "dotted" | "as_given";

/** What reading an event depends on; fixed for the life of the function. */
export interface InterceptorSettings {
  /** Identity that the configuration fixes; a null member is left to the header, or unknown. */
  readonly identity: Identity;
  /** Lower-case name of the header that carries the agent; null: no header is believed. */
  readonly agentHeader: string | null;
  readonly toolNames: ToolNames;
  /** Judge what else makes a target work, such as resources/read. */
  readonly strict: boolean;
}
