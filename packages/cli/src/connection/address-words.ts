import { shellWord } from "../frame/shell-word.ts";
import type { ServerOptions } from "./server-options.ts";

/** The options that lead a command that is printed to the same server; each after a blank. */
export function addressWords({ url, context, env }: ServerOptions): string {
  if (url !== undefined) return ` --url ${shellWord(url)}`;
  if (context !== undefined) return ` --context ${shellWord(context)}`;
  return env === undefined ? "" : ` --env ${shellWord(env)}`;
}
