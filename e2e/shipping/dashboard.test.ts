// peers: promtool
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { findFreePort } from "@svc/process/free-port";
import { beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { startCheckgw } from "../support/adapters/checkgw-process.ts";
import { startProcess } from "../support/processes/child-process.ts";
import { missing } from "../support/processes/missing-peers.ts";
import { programOf } from "../support/processes/peer-programs.ts";
import { runProgram } from "../support/processes/run-program.ts";
import { createPolicy, execute, PAYMENTS_POLICY, send } from "../support/server/api.ts";
import { startServer } from "../support/server/server-process.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const FOLDER = join(ROOT, "deploy", "grafana");

// proves OPS-52
// skip: a machine without promtool; the runner says why there is none
describe.skipIf(missing.promtool)("the alert rules", () => {
  it.each([
    ["are rules", ["check", "rules", "alerts.yaml"]],
    ["fire when they must, and are silent otherwise", ["test", "rules", "alerts.test.yaml"]],
  ])("%s", async (_name, args) => {
    const { exitCode, stdout, stderr } = await runProgram(programOf("promtool"), args, {}, { cwd: FOLDER });
    expect([exitCode, `${stdout}${stderr}`]).toEqual([0, expect.stringContaining("SUCCESS")]);
  });
});

interface Rules {
  readonly groups: readonly {
    readonly rules: readonly { readonly alert: string; readonly expr: string }[];
  }[];
}
interface Dashboard {
  readonly panels: readonly {
    readonly id: number;
    readonly title: string;
    readonly targets?: readonly { readonly expr: string }[];
    readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  }[];
}

const dashboard = JSON.parse(readFileSync(join(FOLDER, "dashboard.json"), "utf8")) as Dashboard;
const rules = parse(readFileSync(join(FOLDER, "alerts.yaml"), "utf8")) as Rules;

const expressions: readonly (readonly [name: string, expression: string])[] = [
  ...dashboard.panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }, index) => [`panel ${title}, ${String(index)}`, expr] as const),
  ),
  ...rules.groups.flatMap((group) => group.rules.map(({ alert, expr }) => [`alert ${alert}`, expr] as const)),
];

const SELECTOR = /\b((?:svc|process|nodejs)_[a-z0-9_]+)(?:\{([^}]*)\})?/g;
const MATCHER = /([a-z_]+)(?:=~|!=|!~|=)"([^"]*)"/g;
const GROUPING = /\bby \(([^)]*)\)/g;

/** What Prometheus adds to each series of a target. */
const OF_PROMETHEUS = ["instance", "job"];

const SOURCES = globSync(["packages/*/src/**/*.ts", "gateway/src/**/*.ts"], { cwd: ROOT })
  .filter((path) => !path.endsWith(".test.ts"))
  .map((path) => readFileSync(join(ROOT, path), "utf8"))
  .join("\n");

/** Names of every metric to the labels that its series carry, as real programs answer them. */
const scraped = new Map<string, Set<string>>();

async function scrape(url: string): Promise<void> {
  const text = await (await fetch(`${url}/metrics`)).text();
  for (const [, name = ""] of text.matchAll(/^# TYPE (\S+) \S+$/gm)) scraped.set(name, labelsOf(name));
  for (const [, series = "", labels = ""] of text.matchAll(/^([a-z0-9_]+)(?:\{(.*)\})? \S+$/gm)) {
    const name = scraped.has(series) ? series : series.replace(/_(?:bucket|sum|count)$/, "");
    for (const [, label = ""] of labels.matchAll(/([a-z_]+)="/g)) labelsOf(name).add(label);
  }
}

function labelsOf(name: string): Set<string> {
  const known = scraped.get(name) ?? new Set(declaredLabels(name));
  scraped.set(name, known);
  return known;
}

/** The labels of a counter that has counted nothing yet stand in its declaration alone. */
function declaredLabels(name: string): readonly string[] {
  const declaration =
    new RegExp(`name: "${name}",[^}]*?labelNames: \\[([^\\]]*)\\]`).exec(SOURCES)?.[1] ?? "";
  return [...declaration.matchAll(/"([a-z_]+)"/g)].map(([, label = ""]) => label);
}

// proves OPS-52
describe("every metric and label of the dashboard and of the alert rules exists", () => {
  beforeAll(async () => {
    const server = await startServer();
    const rule =
      "rules:\n  - { id: ask, priority: 1, match: { tool: payments.wire }, action: require_approval }\n";
    expect((await createPolicy(server.url, `${PAYMENTS_POLICY}${rule}`)).status).toBe(201);
    const { body } = await execute(server.url);
    await execute(server.url, { tool: "payments.wire" });
    await execute(server.url, { tool: "db.drop" });
    await send("GET", `${server.url}/api/v1/decisions/${String(body["decision_id"])}/explain`);
    await scrape(server.url);
    await server.stop();
    const metrics = `127.0.0.1:${String(await findFreePort())}`;
    const checkgw = await startCheckgw("http://127.0.0.1:9", { SVC_CHECKGW_METRICS_LISTEN: metrics });
    const headers = { "X-Svc-Tool": "db.drop", "X-Svc-Agent-Id": "agent-1" };
    expect((await send("GET", `http://127.0.0.1:${String(checkgw.port)}/check`, { headers })).status).toBe(
      403,
    );
    await scrape(`http://${metrics}`);
    await checkgw.stop();
    for (const name of ["extproc", "mcp"]) await scrapeIdle(name);
  });

  /** Scrapes an adapter that nobody has asked yet. */
  async function scrapeIdle(name: string): Promise<void> {
    const port = await findFreePort();
    const address = `127.0.0.1:${String(port)}`;
    const folder = name === "mcp" ? "mcp-proxy" : name;
    const adapter = await startProcess(
      process.execPath,
      [join(ROOT, "packages", folder, "dist", "main.js")],
      {
        ready: { port },
        env: {
          [`SVC_${name.toUpperCase()}_LISTEN`]: "127.0.0.1:0",
          [`SVC_${name.toUpperCase()}_METRICS_LISTEN`]: address,
          SVC_MCP_UPSTREAM_URL: "http://127.0.0.1:9/mcp",
        },
      },
    );
    await scrape(`http://${address}`);
    await adapter.stop();
  }

  it("and there are enough of them to show something", () => {
    expect(expressions.length).toBeGreaterThan(40);
    expect(scraped.get("svc_decisions_total")).toEqual(new Set(["decision", "reason_code"]));
    expect(scraped.get("svc_checkgw_requests_total")).toEqual(new Set(["path", "result"]));
  });

  it.each(expressions)("%s", (_name, expression) => {
    const used = [...expression.matchAll(SELECTOR)].map(([, series = "", matchers = ""]) => ({
      series,
      matchers: [...matchers.matchAll(MATCHER)],
      name: scraped.has(series) ? series : series.replace(/_(?:bucket|sum|count)$/, ""),
    }));
    const labels = new Set(OF_PROMETHEUS);
    for (const { series, name, matchers } of used) {
      expect([...scraped.keys()]).toContain(name);
      for (const label of labelsOf(name)) labels.add(label);
      if (series.endsWith("_bucket")) labels.add("le");
      for (const [, label = "", values = ""] of matchers) {
        expect([...labelsOf(name), ...OF_PROMETHEUS]).toContain(label);
        if (OF_PROMETHEUS.includes(label)) continue;
        for (const value of values.split("|"))
          expect(SOURCES.includes(`"${value}"`) || SOURCES.includes(`${value}:`)).toBe(true);
      }
    }
    const grouped = [...expression.matchAll(GROUPING)].flatMap(([, names = ""]) => names.split(", "));
    expect(grouped.filter((label) => !labels.has(label))).toEqual([]);
  });

  it("and no panel lies upon another", () => {
    const ids = dashboard.panels.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, at) => `${String(x + (at % w))} ${String(y + Math.floor(at / w))}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
  });
});
