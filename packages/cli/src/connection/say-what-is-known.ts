import type { Output } from "../frame/output.ts";
import { RequestFailure } from "./request-failure.ts";
import type { Connection } from "./resolve-connection.ts";

/** What a failed change says first. Each is a sentence without its end. */
interface KnownWords {
  /** The server did certainly not carry the change out. */
  readonly nothing: string;
  /** It may have. */
  readonly unknown: string;
  /** How to find out, as sentences. */
  readonly look: string;
}

/** The words of a change without words of its own. @param look the command that shows what became of it */
export function changeWords(look: string): KnownWords {
  return {
    nothing: "Nothing was changed",
    unknown: "It is not known whether this was done",
    look: `Look with ${look}.`,
  };
}

/** The answer to a change. A failure begins with what is known of the change. @throws RequestFailure */
export async function sayWhatIsKnown<Answer>(
  asked: Promise<Answer>,
  { nothing, unknown, look }: KnownWords,
): Promise<Answer> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof RequestFailure)) throw error;
    const { message, mayBeDone } = error;
    const said = /[.?]$/.test(message) ? message : `${message}.`;
    throw error.saying(mayBeDone ? `${unknown}: ${said} ${look}`.trimEnd() : `${nothing}: ${said}`);
  }
}

/** Milliseconds between two lines. */
const EVERY_MS = 1_000;

/** Says every second that the control plane has not answered yet, and what that means so far. */
export async function whileWaiting<Answer>(
  asked: Promise<Answer>,
  { url, source }: Pick<Connection, "url" | "source">,
  { output, soFar }: { readonly output: Pick<Output, "progress">; readonly soFar: string },
): Promise<Answer> {
  const startedMs = performance.now();
  const timer = setInterval(() => {
    const seconds = Math.round((performance.now() - startedMs) / 1_000);
    output.progress(
      `waiting for the control plane at ${url.origin} (${source}), ${String(seconds)} s: ${soFar}`,
    );
  }, EVERY_MS);
  try {
    return await asked;
  } finally {
    clearInterval(timer);
  }
}
