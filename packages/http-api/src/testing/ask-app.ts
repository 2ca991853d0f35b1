import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { WebApp } from "../web-app.ts";

/** Asks an app without a listener, as the edge server would after it judged the frame of the request. */
export async function askApp(
  app: WebApp,
  method: string,
  path: string,
  { headers = {}, body = null }: RequestInit = {},
): Promise<Response> {
  const incoming = new IncomingMessage(new Socket());
  const bytes = new Uint8Array(await new Response(body).arrayBuffer());
  const sent = new Headers(headers);
  if (!sent.has("host")) sent.set("host", "127.0.0.1");
  if (body !== null) sent.set("content-length", String(bytes.length));
  incoming.method = method;
  incoming.url = path;
  incoming.rawHeaders.push(...[...sent].flat());
  incoming.headers = Object.fromEntries(sent);
  if (bytes.length > 0) incoming.push(bytes);
  incoming.push(null);
  incoming.complete = true;
  return app.request(path, { method }, { incoming, outgoing: new ServerResponse(incoming) });
}
