import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** What is wrong with a deployment that a drill must find out. */
export interface FakeFaults {
  /** Gateways that do not follow kill switches, although they acknowledge them. */
  readonly deaf?: readonly string[];
  /** Gateways that the answer lists and that no address leads to. */
  readonly hidden?: readonly string[];
  /** Deactivations that fail before one succeeds, as count. */
  readonly failedEnds?: number;
  /** The activation takes effect, and its answer is lost. */
  readonly losesAnswer?: boolean;
  /** The status of every answer to a call. */
  readonly callStatus?: number;
}

/** A deployment of processes that answer as Svc does, as far as a drill looks, or lie. */
export interface FakeDeployment {
  readonly urls: readonly URL[];
  /** Targets of the switches that are active now. */
  readonly active: ReadonlyMap<string, string>;
  /** Agents that calls were sent for. */
  readonly agents: ReadonlySet<string>;
  close(): Promise<void>;
}

export async function startFakeDeployment(
  gateways: readonly string[],
  faults: FakeFaults = {},
): Promise<FakeDeployment> {
  const state = { active: new Map<string, string>(), agents: new Set<string>(), ends: 0, rows: 0, made: 0 };
  const serve = async (
    gateway: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> => {
    const body = (await text(request)) || "{}";
    const known = JSON.parse(body) as Readonly<Record<string, string>>;
    const send = (status: number, answer: object): void =>
      void response.writeHead(status).end(JSON.stringify(answer));
    const path = new URL(request.url ?? "/", "http://fake").pathname;
    if (path === "/version") return send(200, { version: "0.1.0" });
    if (path === "/api/v1/gateway/execute") {
      const agent = known["agent_id"] ?? "";
      state.agents.add(agent);
      const stops = [...state.active.values()].includes(agent) && faults.deaf?.includes(gateway) !== true;
      return send(faults.callStatus ?? 200, verdictOf(`${gateway}.${String((state.rows += 1))}`, stops));
    }
    if (request.method === "POST") {
      const id = `ks_${String((state.made += 1))}`;
      state.active.set(id, known["target_id"] ?? "");
      if (faults.losesAnswer === true) return void request.socket.destroy();
      const listed = [...gateways, ...(faults.hidden ?? [])].map((each) => ({
        id: each,
        acknowledged_ms: 1,
      }));
      return send(201, { kill_switch_id: id, enforced: true, propagation_ms: 1, gateways: listed });
    }
    if (request.method === "GET") {
      const switches = [...state.active].map(([id, target]) => ({ kill_switch_id: id, target_id: target }));
      return send(200, { kill_switches: switches });
    }
    if ((state.ends += 1) <= (faults.failedEnds ?? 0)) return send(503, { detail: "not now" });
    state.active.delete(path.split("/").at(-1) ?? "");
    return send(200, { status: "inactive" });
  };
  const servers = await Promise.all(
    gateways.map((gateway) => listen((...args) => void serve(gateway, ...args))),
  );
  return {
    urls: servers.map(
      (server) => new URL(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}`),
    ),
    active: state.active,
    agents: state.agents,
    close: async () => {
      for (const server of servers) server.closeAllConnections();
      await Promise.all(servers.map((server) => once(server.close(), "close")));
    },
  };
}

function verdictOf(decisionId: string, stops: boolean): object {
  const deny = { decision: "deny", reason: "r", args_constrained: false, fail_closed: false };
  return { ...deny, decision_id: decisionId, reason_code: stops ? "kill_switch" : "no_policy" };
}

async function listen(serve: (request: IncomingMessage, response: ServerResponse) => void): Promise<Server> {
  const server = createServer(serve);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}
