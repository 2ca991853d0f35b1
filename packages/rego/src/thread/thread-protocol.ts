import type { ReactorAnswer } from "./reactor.ts";

/** What a thread is started with. */
export interface RegoThreadData {
  readonly module: WebAssembly.Module;
}

/** One job of a thread. A thread has one at a time. */
export type RegoJob =
  | { readonly kind: "call"; readonly request: string }
  | { readonly kind: "evaluate"; readonly handle: number; readonly input: string };

/** The first message is `ready`; then comes one for each job. After `ended` the instance is dead. */
export type RegoThreadMessage =
  | { readonly kind: "ready" }
  | ReactorAnswer
  | { readonly kind: "ended"; readonly text: string };
