import type { Verdict } from "@svc/contract/verdict";
import { send } from "../../support/api.ts";
import { executeBody, observedOf, type Seam, wireText } from "../seam.ts";

/** The gateway's own endpoint. */
export const execute: Seam = {
  name: "execute over HTTP",
  lacks: {},
  keyed: true,
  open: async (gatewayUrl) => ({
    ask: async (call, key) => {
      const { body } = await send("POST", `${gatewayUrl}/api/v1/gateway/execute`, {
        body: wireText(executeBody(call)),
        headers: key === undefined ? {} : { "idempotency-key": key },
      });
      return observedOf(body as unknown as Verdict, call.args);
    },
    close: async () => {},
  }),
};
