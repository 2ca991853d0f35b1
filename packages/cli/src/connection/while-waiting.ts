import type { Output } from "../frame/output.ts";
import type { Connection } from "./resolve-connection.ts";

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
