import type { Verdict } from "@svc/contract/verdict";
import { startExtproc } from "../../support/adapters/extproc-process.ts";
import { sendThrough } from "../../support/adapters/extproc-stage.ts";
import { type RecordedRequest, startRecordingServer } from "../../support/adapters/recording-server.ts";
import { startEnvoy } from "../../support/proxies/envoy-process.ts";
import { observedOf, passed, type Seam } from "../seam.ts";
import { argumentsIn } from "./extproc.ts";
import { rpcCall } from "./mcp.ts";

/** A real Envoy with the configuration as shipped, which names the agent itself and no session. */
export const envoy: Seam = {
  name: "Envoy with ext_proc",
  lacks: { cost: true, wouldBe: true, caller: "refund-agent" },
  most: 300,
  open: async (gatewayUrl) => {
    const arrived = new Map<number, string>();
    const backend = await startRecordingServer((request, response) => {
      arrived.set(idOf(request), argumentsIn(request.body));
      response.end();
    });
    const processor = await startExtproc(gatewayUrl);
    const proxy = await startEnvoy({ extprocPort: processor.port, backendPort: backend.port });
    return {
      ask: async (call) => {
        const { status, body } = await sendThrough(proxy, "/mcp", { body: JSON.stringify(rpcCall(call)) });
        const args = arrived.get(call.index) ?? null;
        return status === 200
          ? passed(args)
          : { ...observedOf(JSON.parse(body) as Verdict, call.args), args };
      },
      close: async () => {
        await proxy.stop();
        await processor.stop();
        await backend.close();
      },
    };
  },
};

function idOf({ body }: RecordedRequest): number {
  return (JSON.parse(body) as { readonly id: number }).id;
}
