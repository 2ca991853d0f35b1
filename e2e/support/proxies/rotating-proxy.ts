import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A load balancer that knows nothing of cookies: each request goes to the next server. */
export interface RotatingProxy {
  readonly url: string;
  /** The ports of the servers, before the first request. */
  serve(ports: readonly number[]): void;
}

/** It ends with the test. */
export async function startRotatingProxy(): Promise<RotatingProxy> {
  let [next, servers]: [number, readonly number[]] = [0, []];
  const proxy = createServer((incoming, outgoing) => {
    const port = servers[next % servers.length];
    next += 1;
    const { method, url: path, headers } = incoming;
    const passed = request({ host: "127.0.0.1", port, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on("error", () => outgoing.destroy());
    incoming.pipe(passed);
  });
  await once(proxy.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  const { port } = proxy.address() as AddressInfo;
  return { url: `http://127.0.0.1:${String(port)}`, serve: (ports) => void (servers = ports) };
}
