import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { printable } from "@svc/process/printable";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { runCaptured } from "../../testing/run-captured.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "svc-init-mcp-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Question {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly cursor?: string };
}

/** A server without sessions that answers a list of tools as it is told. */
async function serve(list: (question: Question) => unknown): Promise<string> {
  return listen((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      if (request.method !== "POST") return response.writeHead(405).end();
      const question = JSON.parse(Buffer.concat(chunks).toString()) as Question;
      if (question.id === undefined) return response.writeHead(202).end();
      response.writeHead(200, { "content-type": "application/json" });
      return response.end(JSON.stringify({ jsonrpc: "2.0", id: question.id, ...answerTo(question, list) }));
    });
  });
}

function answerTo(question: Question, list: (question: Question) => unknown): object {
  switch (question.method) {
    case "initialize":
      return {
        result: {
          protocolVersion: "2025-11-25",
          capabilities: { tools: {} },
          serverInfo: { name: "hostile", version: "1" },
        },
      };
    case "tools/list":
      return { result: list(question) };
    default:
      return { error: { code: -32601, message: "unknown method" } };
  }
}

async function listen(serveRequest: RequestListener): Promise<string> {
  const server = createServer(serveRequest);
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/mcp`;
}

const tool = (name: unknown, annotations?: object) => ({
  name,
  inputSchema: { type: "object" },
  annotations,
});

const init = (server: string, ...args: readonly string[]) =>
  runCaptured(["init", "p", "--agent", "bot", "--mcp", server, "--dry-run", ...args], {
    workingDirectory: folder,
  });

interface Made {
  readonly tools: readonly { readonly name: string; readonly effect: string }[];
  readonly warnings: readonly string[];
}

async function effectsOf(tools: readonly unknown[]): Promise<Made> {
  const { exitCode, out, error } = await init(await serve(() => ({ tools })), "-o", "json");
  expect([exitCode, error.includes("defect")]).toEqual([0, false]);
  return JSON.parse(out) as Made;
}

describe("svc-cli init --mcp", () => {
  // proves CLI-62
  it("lets a tool run without a person only when its server says that it only reads", async () => {
    const { tools } = await effectsOf([
      tool("reads", { readOnlyHint: true }),
      tool("contradicts", { readOnlyHint: true, destructiveHint: true }),
      tool("adds", { readOnlyHint: false, destructiveHint: false }),
      tool("writes", { readOnlyHint: false }),
      tool("deletes", { destructiveHint: true }),
      tool("silent"),
      tool("titled", { title: "Reads only, I promise" }),
    ]);
    expect(Object.fromEntries(tools.map(({ name, effect }) => [name, effect]))).toEqual({
      reads: "reads",
      contradicts: "destroys",
      adds: "changes",
      writes: "destroys",
      deletes: "destroys",
      silent: "unmarked",
      titled: "unmarked",
    });
  });

  // proves CLI-62
  it("says that annotations are a claim", async () => {
    const { error } = await init(await serve(() => ({ tools: [tool("a", { readOnlyHint: true })] })));
    expect(error).toContain("the claim of its server, which can be wrong");
  });

  // proves CLI-62
  it("leaves out names that no policy can have, and shows them harmlessly", async () => {
    const names = [
      "\u001b[2J",
      "a\nb",
      "crm.*",
      "a b",
      "x".repeat(257),
      "../ok",
      "ok/../x",
      "\u202egnp",
      "p\u0430y",
    ];
    const url = await serve(() => ({ tools: ["fine", ...names].map((name) => tool(name)) }));
    const { exitCode, out, error } = await init(url);
    expect(exitCode).toBe(0);
    expect(out).toContain(
      "  allowed:\n    # A person is asked before these run: see the rules.\n    - fine\n    - a b\n" +
        "    - ../ok\n    - ok/../x\n",
    );
    expect(error).toContain("no policy can name these tools, and every call of them is denied");
    expect(out + error).toBe(printable(out + error));
  });

  // proves CLI-62
  it("takes the strictest of the tools that have one name", async () => {
    const { tools, warnings } = await effectsOf([
      tool("a", { readOnlyHint: true }),
      tool("a", { destructiveHint: false }),
      tool("b", { readOnlyHint: true }),
      tool("b", { readOnlyHint: true }),
      tool("__proto__"),
      tool("constructor", { readOnlyHint: true }),
    ]);
    expect(tools.map(({ name, effect }) => [name, effect])).toEqual([
      ["a", "destroys"],
      ["b", "reads"],
      ["__proto__", "unmarked"],
      ["constructor", "reads"],
    ]);
    expect(warnings).toEqual([
      'the server lists these tools more than once, and which one runs is unknown: "a", "b"',
    ]);
  });

  // proves CLI-63
  it.each<readonly [string, (question: Question) => unknown, number, string]>([
    [
      "too many tools",
      () => ({ tools: Array.from({ length: 501 }, (_, at) => tool(`t${String(at)}`)) }),
      1,
      "lists 501 tools",
    ],
    ["no tools", () => ({ tools: [] }), 1, "lists no tool that a policy can name"],
    ["no name that is one", () => ({ tools: [tool("a b ")] }), 1, "lists no tool that a policy can name"],
    [
      "pages without end",
      ({ params }) => ({ tools: [tool("a")], nextCursor: `${params?.cursor ?? ""}x` }),
      3,
      "more than 64 pages",
    ],
    [
      "too many bytes",
      () => ({ tools: [tool("a", { title: "x".repeat(9_000_000) })] }),
      3,
      "more than 8388608 bytes",
    ],
    ["a number for a name", () => ({ tools: [tool(7)] }), 3, "did not list its tools"],
    ["something else", () => ({ tools: "all of them" }), 3, "did not list its tools"],
  ])("refuses a list with %s", async (_, list, code, said) => {
    const { exitCode, out, error } = await init(await serve(list));
    expect([exitCode, out]).toEqual([code, ""]);
    expect(error).toContain(said);
    expect(error.length).toBeLessThan(2_000);
    expect(existsSync(join(folder, "p"))).toBe(false);
  });

  // proves CLI-63
  it.each<readonly [string, RequestListener, number, string]>([
    ["never answers", () => undefined, 3, "no list within 1 s"],
    [
      "answers HTML",
      (_, response) => response.writeHead(200, { "content-type": "text/html" }).end("<p>"),
      3,
      "did not list",
    ],
    ["answers 500", (_, response) => response.writeHead(500).end(), 3, "did not list"],
    [
      "wants a key",
      (_, response) => response.writeHead(401).end(),
      4,
      "wants a key, which svc-cli does not send",
    ],
    [
      "drips",
      (_, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        const drip = setInterval(() => response.write(": still here\n\n"), 50);
        response.on("close", () => clearInterval(drip));
      },
      3,
      "no list within 1 s",
    ],
  ])("ends when the server %s", async (_, answer, code, said) => {
    const { exitCode, out, error } = await init(await listen(answer), "--timeout", "1s");
    expect([exitCode, out]).toEqual([code, ""]);
    expect(error).toContain(said);
  });

  // proves CLI-63
  it.each([
    [
      "http://127.0.0.1:9/mcp?api_key=hunter2",
      "--mcp: expected an http:// or https:// address without user, query",
    ],
    ["https://ana:hunter2@127.0.0.1:9/mcp", "--mcp: expected"],
    ["/no/such/program --token hunter2", "the MCP server /no/such/program did not list"],
  ])("shows no secret of the server's place %s", async (server, said) => {
    const { error } = await init(server, "--timeout", "1s");
    expect(error).toContain(said);
    expect(error).not.toContain("hunter2");
  });

  // proves CLI-63
  it.each([
    ["cannot be started", "/no/such/program", "ENOENT"],
    ["ends at once", "node -e 'process.exit(1)'", "did not list its tools"],
    ["never answers", "node silent.cjs", "no list within 1 s", "1s"],
    ["floods", "node flood.cjs", "did not list its tools"],
    ["says why it fails, and then much more", "node long.cjs", "It wrote:\nDATABASE is missing\n"],
    ["says why it fails", "node fail.cjs", "It wrote:\nDATABASE is missing\\u{1b}"],
  ])(
    "ends when the program of a server %s",
    async (_, command, said, timeout = "15s") => {
      writeFileSync(join(folder, "silent.cjs"), "process.stdin.resume();");
      writeFileSync(
        join(folder, "flood.cjs"),
        'const x = "x".repeat(1e6); const f = () => process.stdout.write(x, f); f();',
      );
      writeFileSync(
        join(folder, "fail.cjs"),
        'process.stderr.write("DATABASE is missing\\u001b[2J"); process.exitCode = 1;',
      );
      writeFileSync(
        join(folder, "long.cjs"),
        'process.stderr.write("DATABASE is missing\\n" + "trace\\n".repeat(5e3)); process.exitCode = 1;',
      );
      const { exitCode, out, error } = await init(command, "--timeout", timeout);
      expect([exitCode, out]).toEqual([3, ""]);
      expect(error).toContain(said);
    },
    20_000,
  );
});
