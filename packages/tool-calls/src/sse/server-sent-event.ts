/** One event of an event stream, by the grammar of the HTML standard. */
export interface ServerSentEvent {
  /** The value of its last `event` line; null without one. */
  readonly name: string | null;
  /** The values of its `data` lines. A client dispatches nothing when there are none. */
  readonly dataLines: readonly string[];
  /** Whether it has an `id` line. A client can resume the stream after such an event. */
  readonly hasId: boolean;
}

const LINE_END = /\r\n|\n|\r/;

/** The lines of a stream; the last one is empty when every line is ended. */
export function linesOf(text: string): readonly string[] {
  return text.split(LINE_END);
}

/** The name of a line's field; empty for a comment. */
export function fieldOf(line: string): string {
  const colon = line.indexOf(":");
  return colon < 0 ? line : line.slice(0, colon);
}

function valueOf(line: string): string {
  const colon = line.indexOf(":");
  return colon < 0 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
}

/** Reads the lines between two blank lines. Fields other than `event`, `data` and `id` are ignored. */
export function readEvent(lines: readonly string[]): ServerSentEvent {
  const dataLines: string[] = [];
  let name: string | null = null;
  let hasId = false;
  for (const line of lines) {
    const field = fieldOf(line);
    if (field === "data") dataLines.push(valueOf(line));
    else if (field === "event") name = valueOf(line);
    else if (field === "id") hasId = true;
  }
  return { name, dataLines, hasId };
}

/** The type of the event that a client dispatches: an event without a name is a `message`. */
export function eventType({ name }: Pick<ServerSentEvent, "name">): string {
  return name === null || name === "" ? "message" : name;
}

/** The data of the event that a client dispatches. */
export function eventData({ dataLines }: Pick<ServerSentEvent, "dataLines">): string {
  return dataLines.join("\n");
}

/** Writes one whole event. @param data without line ends */
export function renderEvent(name: string | null, data: string): string {
  return `${name === null ? "" : `event: ${name}\n`}data: ${data}\n\n`;
}
