import type { HttpBindings } from "@hono/node-server";
import type { Principal } from "@svc/contract/principal";
import type { ControlPlanePorts } from "@svc/control-plane/ports";
import type { Context } from "hono";

/** What routes receive in addition to the request. */
export interface ApiEnvironment {
  /** Node's own request and response. */
  readonly Bindings: HttpBindings;
  readonly Variables: {
    readonly principal: Principal;
    /** In the header X-Request-Id of the answer, and in every log line that the request causes. */
    readonly requestId: string;
    /** The ports of the operations. Their log lines carry the request id. */
    readonly ports: ControlPlanePorts;
  };
}

export type ApiContext = Context<ApiEnvironment>;
