import type { HttpBindings } from "@hono/node-server";
import type { Principal } from "@svc/contract/principal";
import type { Context } from "hono";

/** What routes find beside the request: Node's own request, and who asks. */
export interface ApiEnvironment {
  readonly Bindings: HttpBindings;
  readonly Variables: { readonly principal: Principal };
}

export type ApiContext = Context<ApiEnvironment>;
