import type { Problem } from "@svc/contract/problem";
import type { AnyReply } from "./routes/handler.ts";

/** A stream breaks off when its key may not act any more, so that no slow reader outlives a revocation. */
export function whileAccepted(reply: AnyReply, refusal: () => Problem | null): AnyReply {
  switch (reply.kind) {
    case "stream":
      return { ...reply, pieces: guarded(reply.pieces, refusal) };
    case "events":
      return { ...reply, begin: (headers) => reply.begin(headers, refusal) };
    case "json":
    case "text":
    case "problem":
    case "empty":
      return reply;
  }
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
