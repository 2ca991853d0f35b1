import { parseJson } from "@svc/text/parse-json";
import type { ReactorReply } from "./reactor-reply.ts";
import { MAX_WAITING_CHECKS } from "./rego-limits.ts";
import type { RegoThread } from "./rego-thread.ts";

/** Milliseconds without a check after which its thread ends. */
const IDLE_END_MS = 60_000;

export type CheckerAnswer =
  | { readonly kind: "reply"; readonly reply: ReactorReply }
  /** It took too long. */
  | { readonly kind: "late" }
  /** OPA's instance ended, or could not be started, or too many wait. */
  | { readonly kind: "unavailable"; readonly text: string };

/** The thread of authors: it checks and explains modules one at a time, beside those that evaluate. */
export class Checker {
  readonly #start: () => Promise<RegoThread>;
  #thread: RegoThread | null = null;
  #tail: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #idle: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(start: () => Promise<RegoThread>) {
    this.#start = start;
  }

  /** Never rejects. @param request JSON */
  async ask(request: string, limitMs: number): Promise<CheckerAnswer> {
    if (this.#waiting >= MAX_WAITING_CHECKS) return { kind: "unavailable", text: "too many modules wait" };
    this.#waiting += 1;
    clearTimeout(this.#idle);
    const answer = this.#tail.then(() => this.#answer(request, limitMs));
    this.#tail = answer;
    const given = await answer;
    this.#waiting -= 1;
    if (this.#waiting === 0)
      this.#idle = setTimeout(() => this.#thread?.end("it was idle"), IDLE_END_MS).unref();
    return given;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#idle);
    this.#thread?.end("the runtime is closed");
    await this.#tail;
    await this.#thread?.ended;
  }

  async #answer(request: string, limitMs: number): Promise<CheckerAnswer> {
    if (this.#isClosed) return { kind: "unavailable", text: "the runtime is closed" };
    try {
      if (this.#thread?.isAlive !== true) this.#thread = await this.#start();
      const outcome = await this.#thread.run({ kind: "call", request }, limitMs);
      if (outcome.kind === "text") return { kind: "reply", reply: parseJson(outcome.text) as ReactorReply };
      return outcome.kind === "late" ? outcome : { kind: "unavailable", text: outcome.text };
    } catch (error) {
      return { kind: "unavailable", text: error instanceof Error ? error.message : String(error) };
    }
  }
}
