// peers: portkey
// long: starts LLM gateways and stops the decision gateway behind each
import { createServer } from "node:net";
import { findFreePort } from "@svc/process/free-port";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { startCheckgw } from "../support/adapters/checkgw-process.ts";
import { missing } from "../support/processes/missing-peers.ts";
import { temporaryDirectory } from "../support/processes/temporary-directory.ts";
import { createPolicy } from "../support/server/api.ts";
import { checkedExport, type ExportedRow, withoutRow } from "../support/server/audit-export.ts";
import { type ServerProcess, serverOfTest } from "../support/server/server-process.ts";
import { type FakeModel, startFakeModel } from "./fake-model.ts";
import { askModel, type ClientAnswer, type LlmGateway } from "./llm-gateway.ts";
import { type PortkeyOptions, portkeyHeaders, startPortkey } from "./portkey-process.ts";

const CALLS = 200;

/** Calls of the tool that are delivered before the gateway is stopped: it was at work. */
const BEFORE_THE_STOP = 20;

const BLOCKED = 446;

/** Every second call of the tool is allowed; the text of the model always is. */
const POLICY = `
id: refunds
agent_id: support-agent
tools: { allowed: [llm.*, payments.refund] }
rules:
  - id: odd
    priority: 1
    match: { tool: payments.refund, condition: { field: args.odd, operator: ==, value: true } }
    action: deny
`;

/** Portkey asks about answers alone, so that every call has one by the time it is asked about. */
const ONLY_ANSWERS: Partial<PortkeyOptions> = { change: ['"before_request_hooks"', '"unused_hooks"'] };

interface Delivered extends ClientAnswer {
  /** Whether it was sent after the gateway was stopped. */
  readonly afterStop: boolean;
}

// skip: needs Portkey, which the test runner installs where it can
describe.skipIf(missing.portkey)("Portkey, while the gateway stops during its calls", () => {
  let model: FakeModel;
  let portkey: LlmGateway;
  beforeAll(async () => {
    model = await startFakeModel();
    portkey = await startPortkey({ checkgwPort: 1, modelPort: model.port });
    let asked = 0;
    model.answer(() => {
      asked += 1;
      return { calls: [{ tool: "payments.refund", args: { ticket: asked, odd: asked % 2 === 1 } }] };
    });
  });
  afterAll(async () => {
    await portkey?.stop("SIGKILL");
    await model?.close();
  });

  /** An adapter before a gateway, and Portkey's way to it. */
  async function through(gatewayUrl: string, change: Partial<PortkeyOptions> = {}): Promise<LlmGateway> {
    const checkgw = await startCheckgw(gatewayUrl);
    onTestFinished(async () => void (await checkgw.stop("SIGKILL")));
    const headers = await portkeyHeaders({ checkgwPort: checkgw.port, modelPort: model.port, ...change });
    return { ...portkey, headers };
  }

  /** Sends all calls, so many at once, and stops the gateway once it has answered some. */
  async function callWhileStopping(
    llm: LlmGateway,
    atOnce: number,
    stop: () => void,
  ): Promise<readonly Delivered[]> {
    const answers: Delivered[] = [];
    let [sent, delivered, stopped] = [0, 0, false];
    const worker = async (): Promise<void> => {
      while (sent < CALLS) {
        sent += 1;
        const afterStop = stopped;
        const answer = await askModel(llm);
        answers.push({ ...answer, afterStop });
        if (isDelivered(answer)) delivered += 1;
        if (stopped || delivered < BEFORE_THE_STOP) continue;
        stopped = true;
        stop();
      }
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
    return answers;
  }

  function expectOnlyDurableAllows(answers: readonly Delivered[], rows: readonly ExportedRow[]): void {
    expect(answers).toHaveLength(CALLS);
    const delivered = answers.filter(isDelivered);
    expect(delivered.length).toBeGreaterThanOrEqual(BEFORE_THE_STOP);
    expect(delivered.filter(({ afterStop }) => afterStop)).toEqual([]);
    expect(delivered.filter(({ text }) => !/\\"odd\\":false/.test(text))).toEqual([]);
    expect(withoutRow(delivered.flatMap(decisionIds), rows)).toEqual([]);
    const others = answers.filter((answer) => !isDelivered(answer));
    expect(others.filter(({ status }) => status !== BLOCKED)).toEqual([]);
    expect(others.filter(({ text }) => text.includes('"fail_closed":true'))).not.toEqual([]);
  }

  async function startGoverning(dataDir?: string): Promise<ServerProcess> {
    const server = await serverOfTest(dataDir === undefined ? {} : { dataDir });
    expect((await createPolicy(server.url, POLICY)).status).toBe(201);
    return server;
  }

  // proves GRD-03, GRD-04, AUD-01
  it.each([50, CALLS])(
    "F7: stopped (SIGSTOP), %i at once: only durable allows are delivered",
    async (atOnce) => {
      const server = await startGoverning();
      const llm = await through(server.url, ONLY_ANSWERS);
      const answers = await callWhileStopping(llm, atOnce, () => server.signal("SIGSTOP"));
      server.signal("SIGCONT");
      expectOnlyDurableAllows(answers, await checkedExport(server.url));
    },
  );

  // proves GRD-03, AUD-01
  it.each([50, CALLS])(
    "F7: killed (SIGKILL), %i at once: only durable allows are delivered",
    async (atOnce) => {
      const dataDir = await temporaryDirectory();
      const server = await startGoverning(dataDir);
      const llm = await through(server.url, ONLY_ANSWERS);
      const answers = await callWhileStopping(llm, atOnce, () => server.signal("SIGKILL"));
      await server.exited;
      const { url } = await serverOfTest({ dataDir });
      expectOnlyDurableAllows(answers, await checkedExport(url));
    },
  );

  // proves GRD-03, GRD-04
  it.each([
    { name: "nothing listens on", url: async () => `http://127.0.0.1:${String(await findFreePort())}` },
    { name: "no network leads to", url: async () => "http://192.0.2.1:8080" },
    { name: "accepts and never answers", url: openBlackHole },
  ])("F7: an address that $name: nothing is delivered", async ({ url }) => {
    const llm = await through(await url(), ONLY_ANSWERS);
    const answers = await Promise.all(Array.from({ length: CALLS }, () => askModel(llm)));
    expect(answers.filter(({ status }) => status !== BLOCKED)).toEqual([]);
    expect(answers.filter(isDelivered)).toEqual([]);
  });
});

/** Takes every connection, and reads and writes nothing. */
async function openBlackHole(): Promise<string> {
  const port = await findFreePort();
  const server = createServer((socket) => void socket.on("error", () => socket.destroy()));
  await new Promise<void>((resolve) => {
    server.listen(port, "127.0.0.1", resolve);
  });
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${String(port)}`;
}

/** Whether anything of the proposed arguments is in it, whatever its status. */
function isDelivered({ text }: ClientAnswer): boolean {
  return text.includes("ticket");
}

/** The decisions that the adapter reported to Portkey when it passed the answer. */
function decisionIds({ body }: ClientAnswer): readonly string[] {
  const ids = [...JSON.stringify(body?.["hook_results"]).matchAll(/"decision_ids":\[([^\]]+)\]/g)];
  return ids.flatMap(([, list = ""]) => list.split(",").map((id) => id.replaceAll('"', "")));
}
