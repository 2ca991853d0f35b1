// long: each test starts every program, and most tests wait for their end
import { once } from "node:events";
import { connect } from "node:net";
import { type Client, type ClientDuplexStream, credentials } from "@grpc/grpc-js";
import { findFreePort } from "@svc/process/free-port";
import { describe, expect, it, onTestFinished } from "vitest";
import { type PlayedOutcome, playStream } from "../support/adapters/play-stream.ts";
import {
  type RecordingServer,
  type Responder,
  startRecordingServer,
} from "../support/adapters/recording-server.ts";
import { loadProcessorClient } from "../support/adapters/scripted-processor.ts";
import { toolsCall } from "../support/adapters/tools-call.ts";
import { runProgram } from "../support/processes/run-program.ts";
import { addressOf, FREE_PORTS, START_ENTRY, startAll } from "../support/processes/start-process.ts";
import { temporaryDirectory } from "../support/processes/temporary-directory.ts";
import { send } from "../support/server/api.ts";

const CALLER = { "x-svc-agent-id": "demo-agent", "x-svc-session-id": "s-1" };

/** A call that the demonstration policy allows, and one that it denies. */
const ALLOWED = "crm.read";
const DENIED = "db.drop_table";

const answerCall: Responder = ({ body }, response) => {
  const { id } = JSON.parse(body) as { readonly id: number };
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ jsonrpc: "2.0", id, result: { content: [] } }));
};

async function upstreamOfTest(responder: Responder): Promise<RecordingServer & { readonly url: string }> {
  const upstream = await startRecordingServer(responder);
  onTestFinished(() => upstream.close());
  return { ...upstream, url: `http://127.0.0.1:${String(upstream.port)}/mcp` };
}

function clientOf(address: string): Client {
  const Processor = loadProcessorClient();
  const client = new Processor(address, credentials.createInsecure());
  onTestFinished(() => client.close());
  return client;
}

/** The beginning of a request, as a proxy sends it. */
function requestHeaders(): object {
  const pairs = { ":method": "POST", ":path": "/mcp", "content-type": "application/json", ...CALLER };
  const headers = Object.entries(pairs).map(([key, value]) => ({ key, raw_value: Buffer.from(value) }));
  return { headers: { headers }, end_of_stream: false };
}

function throughProcessor(client: Client, tool: string): Promise<PlayedOutcome> {
  const body = { body: Buffer.from(toolsCall({}, tool)), end_of_stream: true };
  const messages = [{ request_headers: requestHeaders() }, { request_body: body }];
  return playStream(client, { messages, mode: "BUFFERED", leaves: "half_close" });
}

describe("the start of everything, its adapters", () => {
  it("svc-checkgw answers where the start says", async () => {
    const running = await startAll({ SVC_DATA_DIR: await temporaryDirectory() });
    const url = `${addressOf("svc-checkgw", running)}/check`;
    const ask = (tool: string) => send("GET", url, { headers: { ...CALLER, "x-svc-tool": tool } });
    expect([(await ask(ALLOWED)).status, (await ask(DENIED)).status]).toEqual([200, 403]);
  });

  it("svc-extproc answers where the start says", async () => {
    const running = await startAll({ SVC_DATA_DIR: await temporaryDirectory() });
    const client = clientOf(addressOf("svc-extproc", running));
    expect(await throughProcessor(client, ALLOWED)).toMatchObject({ goesOn: true });
    expect(await throughProcessor(client, DENIED)).toMatchObject({ goesOn: false, why: "refused" });
  });

  it("svc-mcp-proxy stands before SVC_MCP_UPSTREAM_URL, and nowhere without it", async () => {
    const upstream = await upstreamOfTest(answerCall);
    const env = { SVC_DATA_DIR: await temporaryDirectory() };
    const running = await startAll({ ...env, SVC_MCP_UPSTREAM_URL: upstream.url });
    const url = `${addressOf("svc-mcp-proxy", running)}/mcp`;
    const ask = (tool: string) => send("POST", url, { headers: CALLER, body: toolsCall({}, tool) });
    expect((await ask(ALLOWED)).body).toHaveProperty("result");
    expect((await ask(DENIED)).body).toHaveProperty("error.data.reason_code", "tool_denied");
    expect(upstream.requests).toHaveLength(1);
    expect(await running.stop("SIGINT")).toBe(0);
    const without = await startAll(env);
    expect(without.output()).toMatch(
      /^svc-mcp-proxy .* not started: set SVC_MCP_UPSTREAM_URL, and SVC_AGENT_ID/m,
    );
  });

  // proves XPR-10
  it("denies what is pending on SIGTERM, and exits 0", async () => {
    const upstream = await upstreamOfTest(() => {});
    const env = { SVC_DATA_DIR: await temporaryDirectory(), SVC_MCP_UPSTREAM_URL: upstream.url };
    const running = await startAll(env);
    const half = halfSent(clientOf(addressOf("svc-extproc", running)));
    await half.begun;
    const url = `${addressOf("svc-mcp-proxy", running)}/mcp`;
    const call = send("POST", url, { headers: CALLER, body: toolsCall({}, ALLOWED) }).catch(String);
    await expect.poll(() => upstream.requests.length, { timeout: 10_000 }).toBe(1);
    running.signal("SIGTERM");
    expect(await half.refused).toMatchObject([{ immediate_response: { status: { code: 403 } } }]);
    expect(await call).not.toHaveProperty("body.result");
    expect(await running.exited).toBe(0);
  });

  it.each(["SVC_LISTEN", "SVC_CHECKGW_LISTEN", "SVC_EXTPROC_LISTEN", "SVC_MCP_LISTEN"] as const)(
    "names %s and its address when that is taken, and leaves nothing running",
    async (variable) => {
      const { port } = await upstreamOfTest(answerCall);
      const gatewayPort = await findFreePort();
      const env = {
        ...FREE_PORTS,
        SVC_DATA_DIR: await temporaryDirectory(),
        // Lines at info precede the fault.
        SVC_LOG_LEVEL: "warn",
        SVC_MCP_UPSTREAM_URL: "http://127.0.0.1:9/mcp",
        SVC_LISTEN: `127.0.0.1:${String(gatewayPort)}`,
        [variable]: `127.0.0.1:${String(port)}`,
      };
      const { exitCode, stdout, stderr } = await runProgram(process.execPath, [START_ENTRY], env);
      expect([exitCode, stdout]).toEqual([1, ""]);
      expect(stderr).toMatch(`${variable}: cannot listen on 127.0.0.1:${String(port)}`);
      expect(await isOpen(gatewayPort)).toBe(false);
    },
  );

  it("refuses an argument that it does not know", async () => {
    const { exitCode, stderr } = await runProgram(process.execPath, [START_ENTRY, "--dmeo"], FREE_PORTS);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(
      /^npm start: unknown argument "--dmeo": expected one of --demo, --help, --version;/,
    );
  });
});

interface HalfSent {
  /** The answer to the beginning: the processor waits for the body. */
  readonly begun: Promise<unknown>;
  readonly refused: Promise<unknown>;
}

/** Sends the beginning of a request whose body never comes. */
function halfSent(client: Client): HalfSent {
  const stream = (client as unknown as { Process(): ClientDuplexStream<object, object> }).Process();
  // Once its client is gone it ends with one.
  stream.on("error", () => {});
  const begun = once(stream, "data");
  stream.write({ request_headers: requestHeaders(), protocol_config: { request_body_mode: "BUFFERED" } });
  return { begun, refused: begun.then(() => once(stream, "data")) };
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const done = (open: boolean): void => {
      socket.destroy();
      resolve(open);
    };
    socket.once("connect", () => done(true));
    socket.once("error", () => done(false));
  });
}
