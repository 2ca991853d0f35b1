import { benchmarkArgs } from "../benchmark-calls.ts";
import { BENCH_TOOL } from "../benchmark-policy.ts";
import { atMost, type Figure } from "../figure.ts";
import { startAdapter } from "../peers/start-adapter.ts";
import { startBareServer } from "../peers/start-bare-server.ts";
import { answersGiven, EXECUTE_PATH } from "../peers/start-canned-server.ts";
import type { Bench, Scenario } from "../scenario.ts";
import {
  addedFigures,
  MAX_OWN_MS,
  ownFigure,
  p50Figure,
  rateFigure,
  sideFigures,
} from "../seams/seam-figures.ts";
import { askingSide, type Gateways, SHIPPED_AGENT, startGateways } from "../seams/seam-peers.ts";
import { ALONE, MANY, measureSides, type Side, type Turns } from "../seams/sides.ts";

/** Different answers of a model, as count. */
const BODIES = 400;

export const seamGuardrail: Scenario = {
  name: "seam-guardrail",
  title:
    "Portkey's guardrail webhook on svc-checkgw, one tool call each, beside bare node:http that answers it",
  run: async (bench) => {
    const gateways = await startGateways(bench);
    const sides = await startSides(bench, gateways);
    const alone = await measureSides(bench, ALONE, sides);
    const many = await measureSides(bench, MANY, sides);
    await requireAllAsked(gateways, [alone, many]);
    return {
      kind: "measured",
      figures: [...aloneFigures(alone), ...manyFigures(many)],
      notes: ["asked directly, without the LLM gateway in front of it, which adds the same to both"],
    };
  },
};

type Name = "bare" | "judged" | "asking";

async function startSides(bench: Bench, gateways: Gateways): Promise<Record<Name, Side>> {
  const bare = await startBareServer({ verdict: true, data: { explanation: "allowed" } }, bench.cleanup);
  const judging = await startAdapter(bench, "checkgw", {
    SVC_GATEWAY_URL: gateways.allowing.ready,
    SVC_CHECKGW_LISTEN: "127.0.0.1:0",
    SVC_AGENT_ID: SHIPPED_AGENT,
  });
  const bodies = Array.from({ length: BODIES }, (_, at) => JSON.stringify(modelAnswer(at)));
  return {
    bare: { url: bare.ready, bodies, pid: bare.pid },
    judged: { url: `${judging.ready}/guardrail/portkey`, bodies, pid: judging.pid },
    asking: askingSide(gateways),
  };
}

/** A refusal has status 200, too, and is cheaper. @throws unless the gateway was asked every time. */
async function requireAllAsked({ allowing }: Gateways, measured: readonly Turns<Name>[]): Promise<void> {
  const turns = measured.flatMap(({ judged, asking }) => [...judged, ...asking]);
  const answered = turns.reduce((sum, { requests }) => sum + requests, 0);
  const asked = (await answersGiven(allowing))[EXECUTE_PATH] ?? 0;
  if (asked < answered) throw new Error(`of ${answered} requests at most ${asked} reached the gateway`);
}

/** What Portkey sends when a model wants to call a tool. */
function modelAnswer(at: number): object {
  const call = { name: BENCH_TOOL, arguments: JSON.stringify(benchmarkArgs(at)) };
  const message = {
    role: "assistant",
    content: null,
    tool_calls: [{ id: "call_1", type: "function", function: call }],
  };
  const completion = { id: "c1", model: "m", choices: [{ index: 0, message, finish_reason: "tool_calls" }] };
  return {
    request: { json: { model: "m", messages: [] }, text: "", isStreamingRequest: false },
    response: { json: completion, text: "", statusCode: 200 },
    provider: "openai",
    requestType: "chatComplete",
    metadata: {},
    eventType: "afterRequestHook",
  };
}

function aloneFigures({ bare, judged, asking }: Turns<Name>): Figure[] {
  const comparison = { name: "1 client: the guardrail", subject: judged, baseline: bare };
  return [
    p50Figure("1 client: bare", bare),
    ...addedFigures(comparison),
    p50Figure("1 client: asking the allowing gateway", asking),
    ownFigure(comparison, asking, atMost(MAX_OWN_MS)),
  ];
}

function manyFigures({ bare, judged }: Turns<Name>): Figure[] {
  return [
    rateFigure({ name: "16 clients: the guardrail to bare", subject: judged, baseline: bare }),
    ...sideFigures("16 clients: bare", bare),
    ...sideFigures("16 clients: the guardrail", judged),
  ];
}
