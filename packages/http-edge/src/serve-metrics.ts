import { problem } from "@svc/contract/problem";
import { createEdgeServer } from "./edge-server.ts";
import { allowedHosts, type HostNames, hostFault } from "./host-check.ts";
import { type ListenAddress, type Listening, listen } from "./listen.ts";
import { sendProblem } from "./send-json.ts";

/** Metrics in the text form of Prometheus, such as a registry of prom-client. */
export interface MetricsSource {
  readonly contentType: string;
  metrics(): Promise<string>;
}

/**
 * Serves /metrics and /healthz over HTTP; null when no address is set. Host is checked, because a page of a
 * foreign site must not read the metrics by DNS rebinding.
 */
export async function serveMetrics(
  address: ListenAddress | null,
  source: MetricsSource,
  names: HostNames,
): Promise<Listening | null> {
  if (address === null) return null;
  const allowed = allowedHosts(names, address.host);
  const server = createEdgeServer({
    handle: (request, response) => {
      const { url } = request;
      const fault = hostFault(request, allowed);
      if (fault !== null) sendProblem(response, problem("host_not_allowed", fault));
      else if (url === "/healthz")
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
