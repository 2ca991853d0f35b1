import type { Problem } from "@svc/contract/problem";
import type { AnyReply, ProblemReply } from "./routes/handler.ts";

interface Accepted {
  /** Why the key may not act any more; null while it may. */
  readonly refusal: () => Problem | null;
  /** Notes that a request was refused. */
  readonly refuse: (refusal: ProblemReply) => ProblemReply;
  /** Whether the request changes nothing. */
  readonly isRead: boolean;
}

/**
 * The answer as far as the key may have it by now. A read may have waited long, and a stream may be read
 * slowly: neither outlives a revocation. What a request has changed is told, whatever became of its key.
 */
export function whileAccepted(reply: AnyReply, { refusal, refuse, isRead }: Accepted): AnyReply {
  switch (reply.kind) {
    case "stream":
      return { ...reply, pieces: guarded(reply.pieces, refusal) };
    case "events":
      return { ...reply, begin: (response, headers) => reply.begin(response, headers, refusal) };
    case "json":
    case "text":
    case "problem": {
      const ended = isRead ? refusal() : null;
      return ended === null ? reply : refuse({ kind: "problem", problem: ended });
    }
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
