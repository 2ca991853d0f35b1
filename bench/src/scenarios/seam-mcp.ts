import type { RunningChild } from "../child-process.ts";
import { atLeast, atMost, type Figure } from "../figure.ts";
import { startAdapter } from "../peers/start-adapter.ts";
import { answersGiven, startCannedServer } from "../peers/start-canned-server.ts";
import { startPlainProxy } from "../peers/start-plain-proxy.ts";
import type { Bench, Scenario } from "../scenario.ts";
import {
  addedFigures,
  MAX_OWN_MS,
  ownFigure,
  p50Figure,
  rateFigure,
  sideFigures,
} from "../seams/seam-figures.ts";
import { askingSide, MCP_ID, mcpBodies, SHIPPED_AGENT, startGateways } from "../seams/seam-peers.ts";
import { ALONE, MANY, measureSides, type Side, type Turns } from "../seams/sides.ts";

/** Smallest share of a plain reverse proxy's requests per second: what the design asks for. */
const MIN_OF_PLAIN = 0.6;

/** What the server answers to every request. */
const RESULT = {
  jsonrpc: "2.0",
  id: MCP_ID,
  result: { content: [{ type: "text", text: "Refunded 120 EUR to cus_1020." }], isError: false },
};

export const seamMcp: Scenario = {
  name: "seam-mcp",
  title: "MCP over HTTP: directly, through a plain reverse proxy in Node, and through svc-mcp-proxy",
  run: async (bench) => {
    const server = await startCannedServer({ "*": { body: JSON.stringify(RESULT) } }, bench.cleanup);
    const sides = await startSides(bench, server.ready);
    const alone = await measureSides(bench, ALONE, sides);
    const many = await measureSides(bench, MANY, sides);
    requireAllArrived((await answersGiven(server))["*"] ?? 0, [alone, many]);
    return {
      kind: "measured",
      figures: [...aloneFigures(alone), ...manyFigures(many)],
      notes: [
        "a passing message is a ping of a call's size; a judged call is a question, the call and a report",
      ],
    };
  },
};

/** What goes to the server. */
const SENT = ["direct", "plain", "plainAsking", "passing", "judged", "whole"] as const;

type Name = (typeof SENT)[number] | "asking";

async function startSides(bench: Bench, upstream: string): Promise<Record<Name, Side>> {
  const gateways = await startGateways(bench);
  const plain = await startPlainProxy(upstream, bench.cleanup);
  const plainAsking = await startPlainProxy(upstream, bench.cleanup, gateways.allowing.ready);
  const proxy = (gateway: string): Promise<RunningChild> =>
    startAdapter(bench, "mcp-proxy", {
      SVC_GATEWAY_URL: gateway,
      SVC_MCP_UPSTREAM_URL: `${upstream}/mcp`,
      SVC_MCP_LISTEN: "127.0.0.1:0",
      SVC_AGENT_ID: SHIPPED_AGENT,
    });
  const judging = await proxy(gateways.allowing.ready);
  const whole = await proxy(gateways.real.ready);
  const calls = mcpBodies("tools/call");
  return {
    direct: { url: `${upstream}/mcp`, bodies: calls, pid: null },
    plain: { url: `${plain.ready}/mcp`, bodies: calls, pid: plain.pid },
    plainAsking: { url: `${plainAsking.ready}/mcp`, bodies: calls, pid: plainAsking.pid },
    passing: { url: `${judging.ready}/mcp`, bodies: mcpBodies("ping"), pid: judging.pid },
    judged: { url: `${judging.ready}/mcp`, bodies: calls, pid: judging.pid },
    whole: { url: `${whole.ready}/mcp`, bodies: calls, pid: whole.pid },
    asking: askingSide(gateways),
  };
}

/** A refusal has status 200, too, and is cheaper. @throws unless the server saw every call. */
function requireAllArrived(arrived: number, measured: readonly Turns<Name>[]): void {
  const turns = measured.flatMap((found) => SENT.flatMap((name) => found[name]));
  const answered = turns.reduce((sum, { requests }) => sum + requests, 0);
  if (arrived < answered) throw new Error(`of ${answered} messages at most ${arrived} reached the server`);
}

function aloneFigures({ direct, plain, plainAsking, passing, judged, whole, asking }: Turns<Name>): Figure[] {
  const name = "1 client: a judged call";
  const own = atMost(MAX_OWN_MS);
  return [
    p50Figure("1 client: direct", direct),
    ...addedFigures({ name: "1 client: plain proxy", subject: plain, baseline: direct }),
    ...addedFigures({
      name: "1 client: plain proxy that asks and reports",
      subject: plainAsking,
      baseline: direct,
    }),
    ...addedFigures({ name: "1 client: a passing message", subject: passing, baseline: direct }),
    ...addedFigures({ name, subject: judged, baseline: direct }),
    p50Figure("1 client: asking the allowing gateway", asking),
    ownFigure({ name, subject: judged, baseline: direct }, asking, own),
    ...addedFigures({ name: "1 client: with svc-server", subject: whole, baseline: direct }),
  ];
}

function manyFigures({ direct, plain, plainAsking, passing, judged, whole }: Turns<Name>): Figure[] {
  const target = atLeast(MIN_OF_PLAIN);
  return [
    rateFigure({ name: "16 clients: passing to plain proxy", subject: passing, baseline: plain }, target),
    rateFigure({ name: "16 clients: judged to plain proxy", subject: judged, baseline: plain }, target),
    rateFigure({
      name: "16 clients: judged to plain proxy that asks and reports",
      subject: judged,
      baseline: plainAsking,
    }),
    rateFigure({ name: "16 clients: with svc-server to plain proxy", subject: whole, baseline: plain }),
    ...addedFigures({ name: "16 clients: judged", subject: judged, baseline: direct }),
    ...addedFigures({ name: "16 clients: with svc-server", subject: whole, baseline: direct }),
    ...sideFigures("16 clients: direct", direct),
    ...sideFigures("16 clients: plain proxy", plain),
    ...sideFigures("16 clients: plain proxy that asks and reports", plainAsking),
    ...sideFigures("16 clients: passing", passing),
    ...sideFigures("16 clients: judged", judged),
    ...sideFigures("16 clients: judged before svc-server", whole),
  ];
}
