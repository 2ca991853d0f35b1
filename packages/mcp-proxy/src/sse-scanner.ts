import { StringDecoder } from "node:string_decoder";
import { MAX_EVENT_BYTES } from "./limits.ts";

export interface ServerSentEvent {
  /** `message` unless the stream says otherwise. */
  readonly type: string;
  /** Empty when it was larger than MAX_EVENT_BYTES. */
  readonly data: string;
  /** Whether it came with an id, by which the stream could be resumed behind it. */
  readonly hasId: boolean;
}

/** Where a piece of a stream ends: behind a whole event, behind a whole line of one, or inside a line. */
export type StreamPlace = "between_events" | "between_lines" | "in_line";

/** Reads the events of a stream as its bytes pass by, in whatever pieces. Changes and holds back nothing. */
export class SseScanner {
  readonly #onEvent: (event: ServerSentEvent) => void;
  readonly #decoder = new StringDecoder("utf8");
  #line: string[] = [];
  #data: string[] = [];
  #dataSize = 0;
  #type = "";
  #hasId = false;
  #isInEvent = false;
  #atStart = true;
  #afterCarriageReturn = false;

  constructor(onEvent: (event: ServerSentEvent) => void) {
    this.#onEvent = onEvent;
  }

  /** Where the bytes that went by so far end. */
  get place(): StreamPlace {
    if (this.#line.length > 0) return "in_line";
    return this.#isInEvent ? "between_lines" : "between_events";
  }

  push(chunk: Buffer): void {
    let text = this.#decoder.write(chunk);
    if (text === "") return;
    if (this.#atStart && text.startsWith("\uFEFF")) text = text.slice(1);
    this.#atStart = false;
    if (this.#afterCarriageReturn && text.startsWith("\n")) text = text.slice(1);
    this.#afterCarriageReturn = text.endsWith("\r");
    const lines = text.split(/\r\n|\n|\r/);
    const rest = lines.pop() ?? "";
    for (const end of lines) {
      this.#readLine(this.#line.join("") + end);
      this.#line = [];
    }
    if (rest !== "") this.#line.push(rest);
  }

  #readLine(line: string): void {
    if (line === "") return this.#endEvent();
    this.#isInEvent = true;
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    if (field === "data") this.#readData(value);
    else if (field === "event") this.#type = value;
    else if (field === "id") this.#hasId = true;
  }

  #readData(value: string): void {
    this.#dataSize += value.length;
    if (this.#dataSize > MAX_EVENT_BYTES) this.#data = [];
    else this.#data.push(value);
  }

  #endEvent(): void {
    const event = { type: this.#type || "message", data: this.#data.join("\n"), hasId: this.#hasId };
    const isEvent = this.#data.length > 0 || this.#dataSize > MAX_EVENT_BYTES || this.#hasId;
    this.#data = [];
    this.#dataSize = 0;
    this.#type = "";
    this.#hasId = false;
    this.#isInEvent = false;
    if (isEvent) this.#onEvent(event);
  }
}

/**
 * An event of ours behind whatever a stream brought. When that ended inside an event, it is closed first,
 * under a type that no client reads: what came of it is no whole message.
 */
export function eventOfOurs(type: string, data: string, place: StreamPlace): string {
  return `${DISCARD_HALF[place]}event: ${type}\ndata: ${data}\n\n`;
}

const DISCARD_HALF: Readonly<Record<StreamPlace, string>> = {
  between_events: "",
  between_lines: "event: discarded\n\n",
  in_line: "\nevent: discarded\n\n",
};
