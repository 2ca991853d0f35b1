import type { Verdict } from "@svc/contract/verdict";
import { send } from "../../support/api.ts";
import { executeBody, observedOf, type Seam } from "../seam.ts";

/** The gateway's own endpoint. */
export const execute: Seam = {
  name: "execute over HTTP",
  lacks: {},
  open: async (gatewayUrl) => ({
    ask: async (call) => {
      const { body } = await send("POST", `${gatewayUrl}/api/v1/gateway/execute`, {
        body: executeBody(call),
      });
      return observedOf(body as unknown as Verdict, call.args);
    },
    close: async () => {},
  }),
};
