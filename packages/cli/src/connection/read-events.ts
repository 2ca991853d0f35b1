/** One event of a stream of server-sent events. */
export interface ServerEvent {
  readonly name: string;
  readonly id: string;
  readonly data: string;
}

/** What a stream holds beside events, for who connects again. */
export interface StreamPlace {
  /** Behind which event the stream goes on. Empty: nothing came yet. */
  lastId: string;
  /** Milliseconds before the next connection, as the server asks; null: it did not say. */
  retryMs: number | null;
}

/** Longest event in characters: more than the largest row of an audit log. */
const MAX_EVENT_CHARS = 4 * 1024 * 1024;

/**
 * Reads events as the HTML standard says, of a server that ends lines with a line feed. An event that is cut
 * is left out, and `place` still stands before it. @throws an Error when an event is too long
 */
export async function* readEvents(
  body: AsyncIterable<Uint8Array>,
  place: StreamPlace,
): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  for await (const piece of body) {
    text += decoder.decode(piece, { stream: true });
    const frames = text.split("\n\n");
    text = frames.pop() ?? "";
    if (text.length > MAX_EVENT_CHARS)
      throw new Error(`expected events of at most ${String(MAX_EVENT_CHARS)} characters, found a longer one`);
    for (const frame of frames) {
      const event = parseFrame(frame, place);
      if (event !== null) yield event;
    }
  }
}

/** Null: the frame is a comment, or only sets the place. */
function parseFrame(frame: string, place: StreamPlace): ServerEvent | null {
  let name = "message";
  const data: string[] = [];
  for (const line of frame.split("\n")) {
    const [, field = "", value = ""] = /^([^:]*):? ?(.*)$/su.exec(line) ?? [];
    if (field === "event") name = value;
    if (field === "data") data.push(value);
    if (field === "id") place.lastId = value;
    if (field === "retry" && /^[0-9]{1,9}$/.test(value)) place.retryMs = Number(value);
  }
  return data.length === 0 ? null : { name, id: place.lastId, data: data.join("\n") };
}
