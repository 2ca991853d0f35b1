import { type RunningCheckgw, startCheckgw } from "../support/adapters/checkgw-process.ts";
import { ALLOW } from "../support/adapters/gateway-verdicts.ts";
import { type ScriptedGateway, startScriptedGateway } from "../support/adapters/scripted-gateway.ts";
import { type FakeModel, startFakeModel } from "./fake-model.ts";
import type { LlmGateway, LlmGatewayPeers } from "./llm-gateway.ts";

/** Client, gateway for models, webhook, gateway and model, all but the last two real. */
export interface GuardrailStage {
  readonly gateway: ScriptedGateway;
  readonly checkgw: RunningCheckgw;
  readonly model: FakeModel;
  readonly llm: LlmGateway;
  /** Verdicts by the name of the tool from now on; the others are allowed. */
  readonly judge: (verdicts: Readonly<Record<string, object>>) => void;
  /** Nothing was asked yet, and everything is allowed. */
  readonly reset: () => void;
  readonly close: () => Promise<void>;
}

export async function startGuardrailStage(
  start: (peers: LlmGatewayPeers) => Promise<LlmGateway>,
): Promise<GuardrailStage> {
  const gateway = await startScriptedGateway();
  const model = await startFakeModel();
  const checkgw = await startCheckgw(gateway.url);
  const llm = await start({ checkgwPort: checkgw.port, modelPort: model.port });
  const judge: GuardrailStage["judge"] = (verdicts) =>
    gateway.answer(({ tool }) => verdicts[String(tool)] ?? ALLOW);
  return {
    gateway,
    checkgw,
    model,
    llm,
    judge,
    reset: () => {
      judge({});
      gateway.server.forget();
      model.forget();
    },
    close: async () => {
      await llm.stop();
      await checkgw.stop();
      await gateway.server.close();
      await model.close();
    },
  };
}
