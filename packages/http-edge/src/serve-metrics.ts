import { problem } from "@svc/contract/problem";
import type { Logger } from "@svc/process/logger";
import { warnOfOpenListener } from "@svc/process/warn-of-open-listener";
import { createEdgeServer } from "./edge-server.ts";
import { allowedHosts, EVERY_ADDRESS, type HostNames, hostFault } from "./host-check.ts";
import { type ListenAddress, type Listening, listen } from "./listen.ts";
import { sendProblem } from "./send-json.ts";

/** Metrics in the text form of Prometheus, such as a registry of prom-client. */
export interface MetricsSource {
  readonly contentType: string;
  metrics(): Promise<string>;
}

export interface MetricsListener {
  /** The variable that sets the address. */
  readonly variable: string;
  /** Names that Host may carry. */
  readonly names: HostNames;
  readonly log: Pick<Logger, "warn">;
}

/**
 * Serves /metrics and /healthz over HTTP; null when no address is set. Host is checked, because a page of a
 * foreign site must not read the metrics by DNS rebinding. It has no TLS and asks for no key, so it warns of
 * an address that other machines reach. A container listens on every address, which says nothing about who
 * comes from where.
 */
export async function serveMetrics(
  address: ListenAddress | null,
  source: MetricsSource,
  { variable, names, log }: MetricsListener,
): Promise<Listening | null> {
  if (address === null) return null;
  const risk = "metrics go over plain HTTP to everybody who asks";
  const fix = "Let nobody but your monitoring reach it";
  if (!EVERY_ADDRESS.has(address.host)) warnOfOpenListener({ variable, host: address.host, risk, fix }, log);
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
