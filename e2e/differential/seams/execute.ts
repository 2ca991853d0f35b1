import type { Verdict } from "@svc/contract/verdict";
import { send } from "../../support/server/api.ts";
import { executeBody, observedOf, type Seam, wireText } from "../seam.ts";

/** The gateway's own endpoint. */
export const execute: Seam = {
  name: "execute over HTTP",
  lacks: {},
  keyed: true,
  open: async (gatewayUrl, env = {}) => ({
    ask: async (call, key) => {
      const { body } = await send("POST", `${gatewayUrl}/api/v1/gateway/execute`, {
        body: wireText(executeBody(call)),
        headers: { ...bearer(env), ...(key === undefined ? {} : { "idempotency-key": key }) },
      });
      return observedOf(body as unknown as Verdict, call.args);
    },
    close: async () => {},
  }),
};

/** The key that an adapter would get. */
function bearer({ SVC_API_KEY: key }: Readonly<Record<string, string>>): Record<string, string> {
  return key === undefined ? {} : { authorization: `Bearer ${key}` };
}
