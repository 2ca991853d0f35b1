import { setTimeout as delay } from "node:timers/promises";
import { eventRoutes } from "@svc/api/event-routes";
import { CommandFailure, EXIT_CODES } from "../frame/exit-code.ts";
import { faultReason } from "./fault-reason.ts";
import { prepareRequest, type Question } from "./prepare-request.ts";
import { refusalOf } from "./request-failure.ts";
import type { Connection } from "./resolve-connection.ts";

/** Milliseconds of silence after which a connection counts as cut: the server sends a comment every 15 s. */
const SILENCE_MS = 45_000;

/** Milliseconds that a connection may take to be answered. */
const OPEN_MS = 10_000;

/** Milliseconds before the next connection, where the server does not say. */
const RETRY_MS = 2_000;

/** Longest pause between two connections in milliseconds, whatever the server says. */
const MAX_RETRY_MS = 10_000;

export interface FollowOptions {
  readonly query?: Question["query"];
  /** Ends the stream, without an error. */
  readonly signal: AbortSignal;
  /** Called when the stream stands, for the first time and after each cut. */
  readonly onOpen?: () => void;
  /** Called when a stream that stood was cut, or could not be opened again. It goes on by itself. */
  readonly onCut?: (why: string) => void;
  /** Behind which event the stream begins; left out: with what happens from now on. */
  readonly lastId?: string;
  /** Shorter, for tests. */
  readonly silenceMs?: number;
}

/**
 * The events of a server as they happen. After a cut the stream goes on behind the last event, so that no
 * event is lost and none comes twice; where the server cannot, it sends an event `gap`.
 * @throws CommandFailure `unreachable` when the first connection fails, and what the server refuses
 */
export async function* followEvents(
  connection: Connection,
  options: FollowOptions,
): AsyncGenerator<ServerEvent> {
  const { signal } = options;
  const place: StreamPlace = { lastId: options.lastId ?? "", retryMs: null };
  let hasStood = false;
  const onOpen = (): void => {
    hasStood = true;
    options.onOpen?.();
  };
  while (!signal.aborted) {
    try {
      yield* oneConnection(connection, { ...options, onOpen }, place);
      if (!signal.aborted) options.onCut?.("the server ended the stream");
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof CommandFailure && !isPassing(error)) throw error;
      if (!hasStood) throw unreachable(connection, error);
      options.onCut?.(faultReason(error));
    }
    await delay(Math.min(place.retryMs ?? RETRY_MS, MAX_RETRY_MS), undefined, { signal }).catch(
      () => undefined,
    );
  }
}

async function* oneConnection(
  connection: Connection,
  { query, signal, onOpen, silenceMs = SILENCE_MS }: FollowOptions,
  place: StreamPlace,
): AsyncGenerator<ServerEvent> {
  const silence = new AbortController();
  const giveUp = (limitMs: number) => () => silence.abort(new Error(`silent for ${String(limitMs)} ms`));
  let timer = setTimeout(giveUp(OPEN_MS), OPEN_MS);
  try {
    const { url, init } = prepareRequest(eventRoutes.streamEvents, { query: query ?? {} }, connection);
    const headers = new Headers(init.headers);
    headers.set("accept", "text/event-stream");
    if (place.lastId !== "") headers.set("last-event-id", place.lastId);
    const whole = AbortSignal.any([signal, silence.signal]);
    // A redirect would send the key to another address.
    const response = await fetch(url, { ...init, headers, redirect: "manual", signal: whole });
    if (response.status !== 200) throw await refusalOf(response, eventRoutes.streamEvents, url);
    if (response.headers.get("content-type")?.startsWith("text/event-stream") !== true)
      throw new CommandFailure("unreachable", `${url.href} answered without events: is it svc-server?`);
    clearTimeout(timer);
    timer = setTimeout(giveUp(silenceMs), silenceMs);
    onOpen?.();
    yield* readEvents(heard(response.body ?? [], timer), place);
  } finally {
    clearTimeout(timer);
    silence.abort();
  }
}

/** Each piece begins the time of silence anew. */
async function* heard(body: unknown, timer: NodeJS.Timeout): AsyncGenerator<Uint8Array> {
  for await (const piece of body as AsyncIterable<Uint8Array>) {
    timer.refresh();
    yield piece;
    timer.refresh();
  }
}

/** Whether another connection may fare better: a proxy or the server is busy, or starts. */
function isPassing({ exitCode }: CommandFailure): boolean {
  return exitCode === EXIT_CODES.unreachable;
}

function unreachable({ url, source }: Connection, error: unknown): CommandFailure {
  if (error instanceof CommandFailure) return error;
  const server = `the control plane at ${url.origin} (${source})`;
  return new CommandFailure("unreachable", `${server} does not answer: ${faultReason(error)}`, error);
}

/** One event of a stream of server-sent events. */
export interface ServerEvent {
  readonly name: string;
  readonly id: string;
  readonly data: string;
}

/** What a stream holds beside events, for who connects again. */
interface StreamPlace {
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
async function* readEvents(body: AsyncIterable<Uint8Array>, place: StreamPlace): AsyncGenerator<ServerEvent> {
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
