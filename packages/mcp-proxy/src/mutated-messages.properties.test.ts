import { gunzipSync, gzipSync } from "node:zlib";
import { runs } from "@svc/text/testing/runs";
import { isOverrideHeader } from "@svc/tool-calls/override-headers";
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import type { Script, Seen } from "./testing/mcp-server-stub.ts";
import { proxyOfTest } from "./testing/proxy-of-test.suite.ts";
import { DENY, type TestMcpProxy, type TestRequest } from "./testing/start-mcp-proxy.ts";

/** Messages in each property, as count. */
const RUNS = runs(500, 15_000);
const TIMEOUT_MS = runs(120_000, 1_200_000);

/** Stands in every call, so that whatever arrives of one is found. */
const MARK = "run-me";

/** What a sound client sends, most of the time: one or two mutations at once reach further than ten. */
const mostly = <Value>(sound: Value, mutated: fc.Arbitrary<Value>): fc.Arbitrary<Value> =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(sound) }, { weight: 1, arbitrary: mutated });

const texts = (...values: readonly string[]) => fc.constantFrom(...values);

const methodNames = texts(
  "tools/call",
  "Tools/Call",
  "TOOLS/CALL",
  "tools/call ",
  " tools/call",
  "tools/call\0",
  "tools//call",
  "tools.call",
  "tools\\call",
  "tool\uff53/call",
  "tools/call/",
  "tools/call?x",
  "tasks/result",
);
const methodKeys = texts("method", "Method", "METHOD", "method\0", "m\u00e9thod", "method ", "_method");
const paramsKeys = texts("params", "Params", "param\u017f", "arguments");
const ids = fc.constantFrom<unknown>(1, "1", 0, "", null, -0, 1.5, {}, [], undefined, 2 ** 53);
const args = fc.constantFrom<unknown>({ x: MARK }, [MARK], MARK, { x: { y: [MARK] } });
const versions = fc.constantFrom<unknown>("2.0", "1.0", 2, undefined, "2.0 ");

/** An object as text, whose members may repeat. */
const textOf = (members: readonly (readonly [string, unknown])[]): string =>
  `{${members
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`)
    .join(",")}}`;

const calls = fc
  .record({
    method: fc.tuple(mostly("method", methodKeys), mostly("tools/call", methodNames)),
    params: fc.tuple(mostly("params", paramsKeys), mostly<unknown>({ x: MARK }, args)),
    id: mostly<unknown>(1, ids),
    version: mostly<unknown>("2.0", versions),
    again: mostly<readonly [string, string] | null>(
      null,
      fc.tuple(methodKeys, texts("ping", "tools/list", "notifications/x")),
    ),
    isLast: fc.boolean(),
  })
  .map(({ method, params: [key, value], id, version, again, isLast }) => {
    const own: (readonly [string, unknown])[] = [
      ["jsonrpc", version],
      ["id", id],
      method,
      [key, { name: MARK, arguments: value }],
    ];
    if (again === null) return textOf(own);
    return textOf(isLast ? [...own, again] : [again, ...own]);
  });

const wrappers: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => `[${text}]`,
  (text) => `[{"jsonrpc":"2.0","id":9,"method":"ping"},${text}]`,
  (text) => `{"message":${text}}`,
  (text) => `{"request":[${text}]}`,
  (text) => `{"name":"${MARK}","arguments":{"x":"${MARK}"}}${text.slice(0, 0)}`,
  (text) => `${text}\n${text}`,
  (text) => ` \n\t${text} `,
  (text) => `/**/${text}`,
  (text) => JSON.stringify(text),
  (text) => text.replaceAll("e", "\\u0065").replaceAll('"m\\u0065thod"', '"method"'),
  (text) => `message=${encodeURIComponent(text)}`,
  (text) => `data: ${text}\n\n`,
];

const swapped = (bytes: Buffer): Buffer => Buffer.from(bytes).swap16();
const encodings: readonly ((text: string) => Buffer)[] = [
  (text) => Buffer.from(text),
  (text) => Buffer.from(`\uFEFF${text}`),
  (text) => Buffer.from(text, "utf16le"),
  (text) => Buffer.from(`\uFEFF${text}`, "utf16le"),
  (text) => swapped(Buffer.from(`\uFEFF${text}`, "utf16le")),
  (text) => Buffer.from(text, "latin1"),
  (text) => gzipSync(text),
  (text) => Buffer.from(`${text}\0`),
  (text) => Buffer.from(encodeURIComponent(text)),
];

const paths = texts(
  "/",
  "/mcp/",
  "/mcp?x=1",
  "/MCP",
  "/messages",
  "/register",
  "/token",
  "/refunds",
  "/mcp/x",
  "/mcp;x=1",
  "/.well-known/oauth-protected-resource",
  "/authorize",
  "/tools/call",
  "/added",
);
const headerSets: readonly (readonly (readonly [string, string])[])[] = [
  [],
  [["content-encoding", "gzip"]],
  [["X-HTTP-Method-Override", "POST"]],
  [["X_Original_URL", `/tools/${MARK}`]],
  [["X-Rewrite-URL", `/tools/${MARK}`]],
  [["Mcp-Method", "tools/call"]],
  [["Mcp-Name", MARK]],
  [
    ["Connection", "Upgrade, HTTP2-Settings"],
    ["Upgrade", "h2c"],
    ["HTTP2-Settings", "AAMAAABkAAQAAP__"],
  ],
  [
    ["Connection", "Upgrade"],
    ["Upgrade", "websocket"],
  ],
];
const mediaTypes = texts(
  "application/json; charset=utf-8",
  "application/json; charset=utf-16",

  "text/plain",
  "application/x-www-form-urlencoded",
  "text/json",
  "application/json-rpc",
  "multipart/form-data",
);

const requests: fc.Arbitrary<TestRequest> = fc
  .record({
    call: calls,
    wrap: mostly<(text: string) => string>((text) => text, fc.constantFrom(...wrappers)),
    encode: mostly<(text: string) => Buffer>((text) => Buffer.from(text), fc.constantFrom(...encodings)),
    target: mostly("/mcp", paths),
    method: mostly("POST", texts("PUT", "PATCH", "DELETE", "GET", "QUERY")),
    headers: mostly(headerSets[0] ?? [], fc.constantFrom(...headerSets)),
    mediaType: mostly("application/json", mediaTypes),
  })
  .map(({ call, wrap, encode, target, method, headers, mediaType }) => ({
    method,
    target,
    headers: [["content-type", mediaType] as const, ...headers],
    body: encode(wrap(call)),
  }));

/** What a lenient server could find in bytes: in any encoding, unescaped, and folded. */
function readings(body: string): readonly string[] {
  const bytes = Buffer.from(body);
  const found = [bytes.toString("utf8"), bytes.toString("utf16le"), bytes.toString("latin1")];
  if (bytes[0] === 0x1f) found.push(gunzipSync(bytes).toString());
  return found.map((text) =>
    unescaped(text).replaceAll("\\u0065", "e").normalize("NFKC").toLowerCase().replaceAll("\0", ""),
  );
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const hasCall = ({ body, url }: Seen): boolean => readings(body + url).some((text) => text.includes(MARK));

/** A server that answers whatever it is sent, as a lenient one does. */
const answerAll: Script = (_, response) =>
  void response
    .writeHead(200, { "content-type": "application/json" })
    .end('{"jsonrpc":"2.0","id":1,"result":{}}');

/** Registration is JSON that is not a message: its names and values are OAuth's. */
const isRegistration = ({ url, body }: Seen): boolean =>
  url === "/register" &&
  !Object.keys(JSON.parse(body) as object).some((key) => /^(?:method|jsonrpc)/i.test(key));

function expectCleanHeaders({ rawHeaders }: Seen): void {
  const names = rawHeaders.filter((_, index) => index % 2 === 0);
  for (const name of names) {
    expect([name, isOverrideHeader(name)]).toEqual([name, false]);
    expect(["upgrade", "http2-settings"]).not.toContain(name.toLowerCase());
  }
}

// proves MCP-24
describe("with mutated messages, a server that parses leniently", () => {
  let proxy: TestMcpProxy;

  const run = async (check: (seen: readonly Seen[]) => void): Promise<number> => {
    let arrived = 0;
    await fc.assert(
      fc.asyncProperty(requests, async (request) => {
        proxy.server.seen.length = 0;
        proxy.asked.length = 0;
        const { status } = await proxy.send(request);
        expect(status).toBeLessThan(600);
        for (const seen of proxy.server.seen) expectCleanHeaders(seen);
        check(proxy.server.seen);
        arrived += proxy.server.seen.length;
      }),
      { numRuns: RUNS },
    );
    expect(proxy.defects).toEqual([]);
    return arrived;
  };

  describe("behind a gateway that denies all", () => {
    beforeEach(async () => {
      proxy = await proxyOfTest({ decide: DENY, script: answerAll, settings: { passPaths: ["/added"] } });
    });

    it(
      "gets no call",
      async () => {
        await run((seen) => {
          for (const one of seen)
            if (!isRegistration(one) && one.url !== "/added")
              expect([one.body, hasCall(one)]).toEqual([one.body, false]);
        });
      },
      TIMEOUT_MS,
    );
  });

  describe("behind a gateway that allows all", () => {
    beforeEach(async () => {
      proxy = await proxyOfTest({ script: answerAll });
    });

    it(
      "gets what was judged, and nothing else",
      async () => {
        const arrived = await run((seen) => {
          for (const one of seen) {
            if (isRegistration(one) || !hasCall(one)) continue;
            const { method, params } = JSON.parse(one.body) as Judged;
            expect(method).toBe("tools/call");
            expect(proxy.asked).toMatchObject([{ tool: params.name, args: params.arguments }]);
          }
        });
        expect(arrived).toBeGreaterThan(RUNS / 20);
      },
      TIMEOUT_MS,
    );
  });
});

interface Judged {
  readonly method: string;
  readonly params: { readonly name: string; readonly arguments: object };
}
