import type { Identity } from "@svc/tool-calls/identity";

/** How a tool's name at the gateway becomes the name that is judged. */
export type ToolNames = "dotted" | "as_given";

/** What reading an event depends on; fixed for the life of the function. */
export interface InterceptorSettings {
  /** Identity from the configuration. A null member comes from the header or is unknown. */
  readonly identity: Identity;
  /** Lower-case name of the header that carries the agent; null if no header counts. */
  readonly agentHeader: string | null;
  readonly toolNames: ToolNames;
  /** Judge also other methods that make a target work, such as resources/read. */
  readonly strict: boolean;
}
