import { eventFilterSchema } from "@svc/contract/event-stream";
import { route, scoped } from "../route.ts";

const EXAMPLE =
  'retry: 2000\nid: gw_1f0c=42\n\nevent: decision\nid: gw_1f0c=43\ndata: {"id":"gw_1f0c.42",' +
  '"log_id":"gw_1f0c","seq":42,"kind":"decision","row":{"decision":"deny","agent_id":"agent-1"}}\n\n';

export const eventRoutes = {
  streamEvents: route({
    method: "GET",
    path: "/events/stream",
    tag: "Events",
    summary: "Follow events as they happen",
    description:
      "Server-sent events. Each is a row of the audit log, sent after the row is durable, in the form that " +
      "`GET audit` has, without `outcome`; the name of the event is the row's `kind`. A withdrawn " +
      "decision is followed by its outcome `revoked`. `Last-Event-ID` goes on behind an event, so that " +
      "nothing is lost between two " +
      "connections. A reader that is too slow, or too far behind, gets an event `gap` with the ids `after` " +
      "and `until`: the events between them were not sent, and a request with `Last-Event-ID: <after>` " +
      "reads them. A comment is sent every 15 seconds. A bound key gets events about the agents and " +
      "namespaces that it is bound to.",
    ...scoped("event:read", "read"),
    query: eventFilterSchema,
    lastEventId: true,
    answers: {
      200: {
        description: "Events, until either side ends the stream.",
        schema: null,
        texts: {
          "text/event-stream": { description: "Server-sent events.", example: EXAMPLE },
        },
      },
    },
    problems: ["overloaded", "too_many_requests"],
  }),
} as const;
