import { onTestFinished } from "vitest";
import { authorizationFor } from "./role-keys.ts";

/** One event as it came. */
export interface SentEvent {
  readonly name: string;
  readonly id: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface EventStream {
  readonly status: number;
  readonly headers: Headers;
  /** What came so far. A comment has no name, and an id without data is not an event. */
  readonly events: readonly SentEvent[];
  readonly comments: readonly string[];
  /** The id that a client sends when it connects again. */
  readonly lastId: () => string;
  readonly isOver: () => boolean;
  readonly close: () => void;
}

/** Opens the event stream of a server and reads it until the test ends. */
export async function openEvents(
  url: string,
  { query = "", headers = {} }: { query?: string; headers?: Readonly<Record<string, string>> } = {},
): Promise<EventStream> {
  const over = new AbortController();
  onTestFinished(() => over.abort());
  const address = `${url}/api/v1/events/stream${query}`;
  const key = await authorizationFor("GET", address);
  const answer = await fetch(address, { headers: { ...key, ...headers }, signal: over.signal });
  const events: SentEvent[] = [];
  const comments: string[] = [];
  let lastId = "";
  let isOver = false;
  const take = (frame: string): void => {
    const fields = frame.split("\n").map((line) => /^([a-z]*): ?(.*)$/s.exec(line) ?? []);
    const field = (name: string) => fields.find(([, found]) => found === name)?.[2];
    if (field("") !== undefined) comments.push(field("") ?? "");
    lastId = field("id") ?? lastId;
    const data = field("data");
    if (data !== undefined) events.push({ name: field("event") ?? "", id: lastId, data: JSON.parse(data) });
  };
  const read = async (): Promise<void> => {
    let text = "";
    const decoder = new TextDecoder();
    for await (const piece of answer.body ?? []) {
      text += decoder.decode(piece, { stream: true });
      const frames = text.split("\n\n");
      text = frames.pop() ?? "";
      for (const frame of frames) take(frame);
    }
  };
  void read()
    .catch(() => undefined)
    .finally(() => {
      isOver = true;
    });
  return {
    status: answer.status,
    headers: answer.headers,
    events,
    comments,
    lastId: () => lastId,
    isOver: () => isOver,
    close: () => over.abort(),
  };
}
