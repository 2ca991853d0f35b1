import type { Handle } from "@svc/http-edge/edge-server";
import { readBody } from "@svc/http-edge/read-body";
import { sendJson } from "@svc/http-edge/send-json";
import { MAX_BODY_BYTES } from "@svc/text/limits";

/** A plain HTTP service that does nothing. Its answer says what it would have done. */
export function demoBackend(tell: (line: string) => void): Handle {
  return async (request, response) => {
    const body = await readBody(request, MAX_BODY_BYTES);
    if (body.kind !== "body") return void response.destroy();
    const { method = "", url = "" } = request;
    tell(`the service behind the proxies ran ${method} ${url} ${body.bytes.toString("utf8")}`.trimEnd());
    sendJson(response, 200, { ran: `${method} ${url}` });
  };
}
