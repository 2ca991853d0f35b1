/** Most bytes of all answers of one server. */
export const MAX_LIST_BYTES = 8 * 1024 * 1024;

/** An answer of a server, or all of them together, that is longer than the limit. */
export class ListTooLarge extends Error {
  override readonly name = "ListTooLarge";
}

/** A `fetch` whose answers have a limit together, in bytes. */
export function limitedFetch(maxBytes: number): typeof fetch {
  let left = maxBytes;
  return async (input, init) => {
    const response = await fetch(input, init);
    const { body, status, statusText, headers } = response;
    if (body === null) return response;
    const counting = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        left -= chunk.length;
        if (left < 0) controller.error(new ListTooLarge(`more than ${String(maxBytes)} bytes`));
        else controller.enqueue(chunk);
      },
    });
    return new Response(body.pipeThrough(counting), { status, statusText, headers });
  };
}
