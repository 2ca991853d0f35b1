import { createEdgeServer } from "@svc/http-edge/edge-server";
import { type ListenAddress, type Listening, listen } from "@svc/http-edge/listen";
import type { Registry } from "prom-client";

/** Serves /metrics and /healthz over HTTP where asked to; answers null where not. */
export async function serveMetrics(
  address: ListenAddress | null,
  registry: Registry,
): Promise<Listening | null> {
  if (address === null) return null;
  const server = createEdgeServer({
    handle: ({ url }, response) => {
      if (url === "/healthz")
        response.writeHead(200, { "content-type": "application/json" }).end('{"status":"ok"}');
      else if (url !== "/metrics") response.writeHead(404).end();
      else {
        registry.metrics().then(
          (text) => response.writeHead(200, { "content-type": registry.contentType }).end(text),
          () => response.writeHead(500).end(),
        );
      }
    },
    onError: () => {},
  });
  return listen(server, address);
}
