// peers: envoy
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { parse, parseAllDocuments, stringify } from "yaml";
import { type ExtprocStage, sendThrough, startStage } from "../support/adapters/extproc-stage.ts";
import { ALLOW, shaped, verdict } from "../support/adapters/gateway-verdicts.ts";
import { toolsCall } from "../support/adapters/tools-call.ts";
import { missing } from "../support/processes/missing-peers.ts";

const SHIPPED = join(import.meta.dirname, "..", "..", "envoy");

interface Filter {
  readonly name: string;
  readonly typed_config: Readonly<Record<string, unknown>>;
}

interface EnvoyConfiguration {
  readonly static_resources: {
    readonly listeners: { filter_chains: { filters: Filter[] }[] }[];
    readonly clusters: { name: string; load_assignment: { cluster_name: string } }[];
  };
}

interface Patch {
  readonly applyTo: string;
  readonly patch: { readonly operation: string; readonly value: Filter };
}

/** The cluster that Istio makes of the service `svc-extproc`. */
const CLUSTER = "outbound|9002||svc-extproc.agents.svc.cluster.local";

/** A gateway as Istio configures one, as far as it matters here: a route to the backend, and no filters. */
function bareGateway(): EnvoyConfiguration {
  const envoy = parse(readFileSync(join(SHIPPED, "envoy.yaml"), "utf8")) as EnvoyConfiguration;
  const [chain] = envoy.static_resources.listeners[0]?.filter_chains ?? [];
  const [manager] = chain?.filters ?? [];
  if (chain === undefined || manager === undefined) throw new Error("expected one filter chain");
  const { "@type": type, stat_prefix: prefix, http_filters: filters } = manager.typed_config;
  const route = { match: { prefix: "/" }, route: { cluster: "backend" } };
  const hosts = { virtual_hosts: [{ name: "all", domains: ["*"], routes: [route] }] };
  const router = (filters as readonly Filter[]).slice(-1);
  const bare = { "@type": type, stat_prefix: prefix, http_filters: router, route_config: hosts };
  chain.filters = [{ name: manager.name, typed_config: bare }];
  for (const cluster of envoy.static_resources.clusters) {
    if (cluster.name === "svc_extproc") cluster.name = cluster.load_assignment.cluster_name = CLUSTER;
  }
  return envoy;
}

/** Carries out the patches of the shipped file, in the two ways that occur in it. */
function patched(): string {
  const envoy = bareGateway();
  const [chain] = envoy.static_resources.listeners[0]?.filter_chains ?? [];
  const [document] = parseAllDocuments(readFileSync(join(SHIPPED, "istio.yaml"), "utf8"));
  if (document === undefined) throw new Error("expected an EnvoyFilter first");
  const { spec } = document.toJS() as { spec: { configPatches: readonly Patch[] } };
  for (const { applyTo, patch } of spec.configPatches) {
    const [manager] = chain?.filters ?? [];
    if (chain === undefined || manager === undefined) throw new Error("expected a connection manager");
    const filters = manager.typed_config["http_filters"] as readonly Filter[];
    const change = {
      NETWORK_FILTER: patch.value.typed_config,
      HTTP_FILTER: { http_filters: filters.toSpliced(-1, 0, patch.value) },
    }[applyTo];
    expect([applyTo, patch.operation]).toEqual([
      applyTo,
      applyTo === "NETWORK_FILTER" ? "MERGE" : "INSERT_BEFORE",
    ]);
    chain.filters = [{ ...manager, typed_config: { ...manager.typed_config, ...change } }];
  }
  return stringify(envoy, { aliasDuplicateObjects: false });
}

// skip: a machine without Envoy; the runner says why there is none
describe.skipIf(missing.envoy)("the shipped Istio configuration, run in Envoy", () => {
  let stage: ExtprocStage;
  beforeAll(async () => {
    stage = await startStage({ configuration: patched() });
  });
  afterAll(() => stage?.close());
  beforeEach(() => stage.reset());

  it("an allow continues, rewritten where the verdict says so", async () => {
    stage.gateway.respondWith(verdict(ALLOW));
    expect((await sendThrough(stage.envoy, "/mcp", { body: toolsCall({ a: 1 }) })).status).toBe(200);
    stage.gateway.respondWith(verdict(shaped({ a: 2 })));
    expect((await sendThrough(stage.envoy, "/mcp", { body: toolsCall({ a: 1 }) })).status).toBe(200);
    expect(stage.backend.seen.map(({ body }) => JSON.parse(body ?? "") as unknown)).toEqual(
      [1, 2].map((a) => JSON.parse(toolsCall({ a })) as unknown),
    );
    expect(stage.asked()).toContainEqual(expect.objectContaining({ agent_id: "refund-agent" }));
  });

  it("X11: a deny stops, whatever headers the client sends", async () => {
    const headers = { "x-svc-decision": "allow", "x-svc-agent-id": "admin" };
    const { status } = await sendThrough(stage.envoy, "/mcp", { body: toolsCall({}), headers });
    expect(status).toBe(403);
    expect(stage.asked()).toEqual([expect.objectContaining({ agent_id: "refund-agent" })]);
    expect(stage.backend.seen).toEqual([]);
  });

  it("an escaped slash does not reach another route", async () => {
    const { status } = await sendThrough(stage.envoy, "/docs%2f..%2frefunds", { body: "{}" });
    expect(status).toBe(400);
    expect(stage.backend.seen).toEqual([]);
  });

  it("without a processor everything is stopped", async () => {
    await stage.extproc.stop("SIGKILL");
    expect((await sendThrough(stage.envoy, "/mcp", { body: toolsCall({}) })).status).toBe(500);
    expect(stage.backend.seen).toEqual([]);
  });
});
