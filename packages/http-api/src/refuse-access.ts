import type { RouteDefinition } from "@svc/api/route";
import type { Principal } from "@svc/contract/principal";
import { refuseScope } from "@svc/contract/refuse-scope";
import type { ProblemReply } from "./routes/handler.ts";

/** Why a key may not use a route; null when it may. */
export function refuseAccess(principal: Principal, { access }: RouteDefinition): ProblemReply | null {
  switch (access.kind) {
    case "anybody":
    case "any_key":
      return null;
    case "scope": {
      const refusal = refuseScope(principal, access.scope);
      return refusal === null ? null : { kind: "problem", problem: refusal };
    }
  }
}
