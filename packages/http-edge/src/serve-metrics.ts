import { createEdgeServer } from "./edge-server.ts";
import { type ListenAddress, type Listening, listen } from "./listen.ts";

/** Metrics in the text form of Prometheus: a registry of prom-client is one. */
export interface MetricsSource {
  readonly contentType: string;
  metrics(): Promise<string>;
}

/** Serves /metrics and /healthz over HTTP where asked to; answers null where not. */
export async function serveMetrics(
  address: ListenAddress | null,
  source: MetricsSource,
): Promise<Listening | null> {
  if (address === null) return null;
  const server = createEdgeServer({
    handle: ({ url }, response) => {
      if (url === "/healthz")
        response.writeHead(200, { "content-type": "application/json" }).end('{"status":"ok"}');
      else if (url !== "/metrics") response.writeHead(404).end();
      else {
        source.metrics().then(
          (text) => response.writeHead(200, { "content-type": source.contentType }).end(text),
          () => response.writeHead(500).end(),
        );
      }
    },
    onError: () => {},
  });
  return listen(server, address);
}
