import type { eventRoutes } from "@svc/api/event-routes";
import { problem } from "@svc/contract/problem";
import { callStore, NOT_READ } from "@svc/control-plane/call-store";
import type { HeadText } from "@svc/http-edge/request-head";
import { singleHeader } from "@svc/http-edge/single-header";
import { excerpt } from "@svc/text/excerpt";
import { parseEventId } from "../live-events/event-id.ts";
import type { EventStreams, ReaderRequest } from "../live-events/event-streams.ts";
import { RETRY_AFTER_S } from "../live-events/refuse-reader.ts";
import { EXCERPT_LENGTH } from "../refuse-query-names.ts";
import type { Handlers, ProblemReply } from "./handler.ts";

export interface EventHandlersParts {
  readonly eventStreams: Pick<EventStreams, "open">;
}

export function eventHandlers({ eventStreams }: EventHandlersParts): Handlers<typeof eventRoutes> {
  return {
    streamEvents: async ({ query: filter }, { principal, head, over, ports }) => {
      const read = readLastEventId(head);
      if (read.kind === "problem") return read;
      const asked = { principal, filter, lastEventId: read.lastEventId, over };
      const opened = await callStore(ports, NOT_READ, () => eventStreams.open(asked));
      if (opened.kind === "problem") return opened;
      const { value: stream } = opened;
      if (stream.kind === "opened") return { kind: "events", begin: stream.begin };
      return { ...stream, headers: { "retry-after": RETRY_AFTER_S } };
    },
  };
}

type LastEventId = Pick<ReaderRequest, "lastEventId">;

/** A new stream sends no id, and a client that was given an empty one has read nothing. */
function readLastEventId(head: HeadText): ({ readonly kind: "read" } & LastEventId) | ProblemReply {
  const header = singleHeader(head, "last-event-id");
  if (header.kind === "repeated")
    return refused("The header Last-Event-ID was sent more than once. Send it once.");
  if (header.kind === "absent" || header.value === "") return { kind: "read", lastEventId: null };
  const position = parseEventId(header.value);
  if (position !== null) return { kind: "read", lastEventId: { text: header.value, position } };
  const found = excerpt(header.value, EXCERPT_LENGTH);
  return refused(`Last-Event-ID: expected the id of an event of this stream, found ${found}`);
}

function refused(detail: string): ProblemReply {
  return { kind: "problem", problem: problem("invalid_header", detail) };
}
