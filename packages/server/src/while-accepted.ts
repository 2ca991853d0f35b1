import type { Problem } from "@svc/contract/problem";
import type { AnyReply } from "./routes/handler.ts";

/** A stream breaks off when its key may not act any more, so that no slow reader outlives a revocation. */
export function whileAccepted(reply: AnyReply, refusal: () => Problem | null): AnyReply {
  return reply.kind === "stream" ? { ...reply, pieces: guarded(reply.pieces, refusal) } : reply;
}

async function* guarded(
  pieces: AsyncIterable<Uint8Array>,
  refusal: () => Problem | null,
): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    const ended = refusal();
    if (ended !== null) throw new Error(`the key of the request ended: ${ended.code}`);
    yield piece;
  }
}
