import type { ServerOptions } from "../connection/server-options.ts";
import type { OutputOptions } from "../frame/output.ts";

export interface DiffOptions extends OutputOptions, ServerOptions {
  readonly exitCode: boolean;
  /** How many recorded decisions are decided again, where one policy is compared with what runs. */
  readonly replay: number;
}
