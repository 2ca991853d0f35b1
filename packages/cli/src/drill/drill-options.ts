import type { ServerOptions } from "../connection/server-options.ts";
import type { OutputOptions } from "../frame/output.ts";

/** The command line of a drill. */
export interface DrillOptions extends ServerOptions, OutputOptions {
  readonly gateways: number;
  readonly targetMs: number;
  /** In seconds. */
  readonly timeLimit: number;
  /** True: the address comes from the environment. */
  readonly databaseUrl?: string | true;
  readonly server?: string;
  readonly gatewayUrl?: readonly string[];
  readonly yes: boolean;
  readonly signKey?: string;
  readonly report?: string;
}
