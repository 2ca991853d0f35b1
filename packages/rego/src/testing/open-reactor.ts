import { loadProgram, OPA_VERSION } from "../load-program.ts";
import { type Reactor, startReactor } from "../thread/reactor.ts";

/** One instance of OPA in this thread, without any time limit. */
export async function openReactor(): Promise<{ readonly reactor: Reactor; readonly version: string }> {
  return { reactor: await startReactor(await loadProgram(null)), version: OPA_VERSION };
}
