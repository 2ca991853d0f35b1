import type { Warn } from "@svc/process/limited-warnings";
import type { ListenerTls } from "./listener-tls.ts";
import type { TlsServerOptions } from "./tls-server.ts";

/** How an edge server speaks TLS; null: plain HTTP. It warns of handshakes that fail. */
export function edgeTls(tls: ListenerTls | null, warn: Warn): TlsServerOptions | null {
  if (tls === null) return null;
  const onHandshakeFault: TlsServerOptions["onHandshakeFault"] = ({ error, peer }) =>
    warn(
      "handshake",
      { peer, error: error.message },
      "a TLS handshake failed, and its connection was closed",
    );
  return { tls, onHandshakeFault };
}
