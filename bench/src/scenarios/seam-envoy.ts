import { atLeast, atMost, type Figure } from "../figure.ts";
import { startAdapter } from "../peers/start-adapter.ts";
import { startDoNothingProcessor } from "../peers/start-do-nothing-processor.ts";
import { findEnvoy, SHIPPED_ROUTES, startEnvoy } from "../peers/start-envoy.ts";
import type { Bench, Scenario } from "../scenario.ts";
import {
  addedFigures,
  MAX_OWN_MS,
  ownFigure,
  p50Figure,
  rateFigure,
  sideFigures,
} from "../seams/seam-figures.ts";
import { askingSide, refundBodies, startBackend, startGateways } from "../seams/seam-peers.ts";
import { ALONE, MANY, measureSides, type Side, type Turns } from "../seams/sides.ts";

/** Smallest share of a do-nothing processor's requests per second: what the design asks for. */
const MIN_OF_DO_NOTHING = 0.7;

export const seamEnvoy: Scenario = {
  name: "seam-envoy",
  title:
    "Envoy with the shipped configuration and svc-extproc, beside no processor and one that does nothing",
  run: async (bench) => {
    const program = findEnvoy();
    if (program === null) return { kind: "not_measured", reason: "envoy is not on this machine" };
    const sides = await startSides(bench, program);
    const alone = await measureSides(bench, ALONE, sides);
    const many = await measureSides(bench, MANY, sides);
    return {
      kind: "measured",
      figures: [...aloneFigures(alone), ...manyFigures(many)],
      notes: [
        "Envoy alone: the same process, on the route where the shipped configuration turns its filters off",
        "do-nothing: the same gRPC library answers CONTINUE, or asks the gateway first; Envoy has one worker",
      ],
    };
  },
};

type Name = "without" | "doNothing" | "asksOnly" | "judged" | "whole" | "asking";

async function startSides(bench: Bench, program: string): Promise<Record<Name, Side>> {
  const gateways = await startGateways(bench);
  const backend = (await startBackend(bench)).ready;
  const doNothing = await startDoNothingProcessor(bench.cleanup);
  const asksOnly = await startDoNothingProcessor(bench.cleanup, gateways.allowing.ready);
  const judging = await startAdapter(bench, "extproc", environment(gateways.allowing.ready));
  const whole = await startAdapter(bench, "extproc", environment(gateways.real.ready));
  const envoy = async (processor: string, isGuarded: boolean): Promise<string> =>
    (await startEnvoy(bench, { program, backend, processor, isGuarded })).url;
  const judgingEnvoy = await envoy(judging.ready, true);
  const bodies = refundBodies();
  return {
    without: { url: `${judgingEnvoy}/healthz`, bodies, pid: null },
    doNothing: { url: `${await envoy(doNothing.ready, false)}/refunds`, bodies, pid: doNothing.pid },
    asksOnly: { url: `${await envoy(asksOnly.ready, false)}/refunds`, bodies, pid: asksOnly.pid },
    judged: { url: `${judgingEnvoy}/refunds`, bodies, pid: judging.pid },
    whole: { url: `${await envoy(whole.ready, true)}/refunds`, bodies, pid: whole.pid },
    asking: askingSide(gateways),
  };
}

function environment(gateway: string): Record<string, string> {
  return {
    SVC_GATEWAY_URL: gateway,
    SVC_EXTPROC_LISTEN: "127.0.0.1:0",
    SVC_EXTPROC_CONFIG: SHIPPED_ROUTES,
  };
}

function aloneFigures({ without, doNothing, asksOnly, judged, whole, asking }: Turns<Name>): Figure[] {
  const name = "1 client: svc-extproc";
  return [
    p50Figure("1 client: Envoy alone", without),
    ...addedFigures({ name: "1 client: do-nothing", subject: doNothing, baseline: without }),
    ...addedFigures({ name: "1 client: do-nothing that asks", subject: asksOnly, baseline: without }),
    ...addedFigures({ name, subject: judged, baseline: without }),
    p50Figure("1 client: asking the allowing gateway", asking),
    ownFigure({ name, subject: judged, baseline: without }, asking, atMost(MAX_OWN_MS)),
    ...addedFigures({ name: "1 client: with svc-server", subject: whole, baseline: without }),
  ];
}

function manyFigures({ without, doNothing, asksOnly, judged, whole }: Turns<Name>): Figure[] {
  const target = atLeast(MIN_OF_DO_NOTHING);
  return [
    rateFigure(
      { name: "16 clients: svc-extproc to do-nothing", subject: judged, baseline: doNothing },
      target,
    ),
    rateFigure({
      name: "16 clients: svc-extproc to do-nothing that asks",
      subject: judged,
      baseline: asksOnly,
    }),
    rateFigure({ name: "16 clients: svc-extproc to Envoy alone", subject: judged, baseline: without }),
    rateFigure({ name: "16 clients: do-nothing to Envoy alone", subject: doNothing, baseline: without }),
    rateFigure({ name: "16 clients: with svc-server to do-nothing", subject: whole, baseline: doNothing }),
    ...addedFigures({ name: "16 clients: svc-extproc", subject: judged, baseline: without }),
    ...addedFigures({ name: "16 clients: with svc-server", subject: whole, baseline: without }),
    ...sideFigures("16 clients: Envoy alone", without),
    ...sideFigures("16 clients: do-nothing", doNothing),
    ...sideFigures("16 clients: do-nothing that asks", asksOnly),
    ...sideFigures("16 clients: svc-extproc", judged),
    ...sideFigures("16 clients: svc-extproc before svc-server", whole),
  ];
}
