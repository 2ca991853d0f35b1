import { atMost, type Figure } from "../figure.ts";
import { startAdapter } from "../peers/start-adapter.ts";
import { startCannedServer } from "../peers/start-canned-server.ts";
import { findNginx, startNginx } from "../peers/start-nginx.ts";
import type { Bench, Scenario } from "../scenario.ts";
import {
  addedFigures,
  MAX_OWN_MS,
  ownFigure,
  p50Figure,
  rateFigure,
  sideFigures,
} from "../seams/seam-figures.ts";
import { askingSide, type Gateways, refundBodies, startBackend, startGateways } from "../seams/seam-peers.ts";
import { ALONE, MANY, measureSides, type Side, type Turns } from "../seams/sides.ts";

export const seamNginx: Scenario = {
  name: "seam-nginx",
  title: "nginx with the shipped configuration and svc-checkgw, beside the same nginx without a hook",
  run: async (bench) => {
    const found = findNginx();
    if ("missing" in found)
      return { kind: "not_measured", reason: `${found.missing} is not on this machine` };
    const sides = await startSides(bench, found.program);
    const alone = await measureSides(bench, ALONE, sides);
    const many = await measureSides(bench, MANY, sides);
    return {
      kind: "measured",
      figures: [...aloneFigures(alone), ...manyFigures(many)],
      notes: ["bare hook: node:http instead of svc-checkgw: it allows at once and asks no gateway"],
    };
  },
};

type Name = "without" | "bareHook" | "judged" | "whole" | "asking";

async function startSides(bench: Bench, program: string): Promise<Record<Name, Side>> {
  const gateways: Gateways = await startGateways(bench);
  const backend = (await startBackend(bench)).ready;
  const bare = await startCannedServer(
    { "*": { body: '{"decision":"allow"}', headers: { "x-svc-decision": "allow" } } },
    bench.cleanup,
  );
  const judging = await startAdapter(bench, "checkgw", environment(gateways.allowing.ready));
  const whole = await startAdapter(bench, "checkgw", environment(gateways.real.ready));
  const side = async (hook: string | null, pid: number | null): Promise<Side> => {
    const nginx = await startNginx(bench, { program, backend, hook });
    return { url: `${nginx.ready}/refunds`, bodies: refundBodies(), pid };
  };
  return {
    without: await side(null, null),
    bareHook: await side(bare.ready, bare.pid),
    judged: await side(judging.ready, judging.pid),
    whole: await side(whole.ready, whole.pid),
    asking: askingSide(gateways),
  };
}

function environment(gateway: string): Record<string, string> {
  return { SVC_GATEWAY_URL: gateway, SVC_CHECKGW_LISTEN: "127.0.0.1:0" };
}

function aloneFigures({ without, bareHook, judged, whole, asking }: Turns<Name>): Figure[] {
  const name = "1 client: svc-checkgw";
  return [
    p50Figure("1 client: nginx alone", without),
    ...addedFigures({ name: "1 client: bare hook", subject: bareHook, baseline: without }),
    ...addedFigures({ name, subject: judged, baseline: without }),
    p50Figure("1 client: asking the allowing gateway", asking),
    ownFigure({ name, subject: judged, baseline: without }, asking, atMost(MAX_OWN_MS)),
    ...addedFigures({ name: "1 client: with svc-server", subject: whole, baseline: without }),
  ];
}

function manyFigures({ without, bareHook, judged, whole }: Turns<Name>): Figure[] {
  return [
    rateFigure({ name: "16 clients: svc-checkgw to nginx alone", subject: judged, baseline: without }),
    rateFigure({ name: "16 clients: svc-checkgw to bare hook", subject: judged, baseline: bareHook }),
    rateFigure({ name: "16 clients: with svc-server to nginx alone", subject: whole, baseline: without }),
    ...addedFigures({ name: "16 clients: svc-checkgw", subject: judged, baseline: without }),
    ...addedFigures({ name: "16 clients: with svc-server", subject: whole, baseline: without }),
    ...sideFigures("16 clients: nginx alone", without),
    ...sideFigures("16 clients: bare hook", bareHook),
    ...sideFigures("16 clients: svc-checkgw", judged),
    ...sideFigures("16 clients: svc-checkgw before svc-server", whole),
  ];
}
