import type { ReadStream } from "node:tty";

/** Milliseconds that the client may take to write its whole input. */
const INPUT_TIMEOUT_MS = 5_000;

/** The input did not come, not in time, or is too large. */
export class HookInputError extends Error {
  override readonly name = "HookInputError";
}

/** @throws HookInputError that says what was expected */
export function readInput(
  stdin: Pick<ReadStream, "isTTY" | "on">,
  maxBytes: number,
  timeoutMs = INPUT_TIMEOUT_MS,
): Promise<Uint8Array> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
  const refuse = (found: string): void =>
    reject(new HookInputError(`Expected the JSON of a hook on stdin, found ${found}.`));
  // With a person at the keyboard it would only wait.
  if (stdin.isTTY) refuse("a terminal");
  const timer = setTimeout(() => refuse(`no end of it within ${String(timeoutMs)} ms`), timeoutMs);
  const chunks: Buffer[] = [];
  let size = 0;
  stdin.on("data", (chunk: Buffer) => {
    size += chunk.byteLength;
    if (size > maxBytes) refuse(`more than ${String(maxBytes)} bytes`);
    else chunks.push(chunk);
  });
  stdin.on("error", (error: Error) => refuse(error.message));
  stdin.on("end", () => {
    clearTimeout(timer);
    resolve(Buffer.concat(chunks));
  });
  return promise;
}
