import type { Authentication } from "@svc/http-api/authentication";
import { proveConnection } from "@svc/http-edge/connections/connection-gate";
import type { RequestHead } from "@svc/http-edge/request-head";

/** The same check. A key that it accepts proves the connection, which then keeps its place. */
export function provingConnections<Sent extends readonly unknown[]>(
  authenticate: (request: RequestHead, ...sent: Sent) => Authentication,
): (request: RequestHead, ...sent: Sent) => Authentication {
  return (request, ...sent) => {
    const authentication = authenticate(request, ...sent);
    if (authentication.kind === "principal") proveConnection(request.socket);
    return authentication;
  };
}
