import { Buffer } from "node:buffer";

/** The listeners that every frame goes to. */
export const SEAMS = ["execute", "check", "verdict"] as const;
export type Seam = (typeof SEAMS)[number];

/**
 * What must become of a frame. `refused`: no allow, and the gateway decides nothing. `judged`: one answer and
 * one decision. `either`: at most one of each; a client that goes on writing may lose its answer.
 */
export type Fate = "refused" | "judged" | "either";

/** One request, byte for byte. `{path}` is the path of the seam; `{call}` are the headers that it needs. */
export interface HostileFrame {
  readonly name: string;
  readonly text: string;
  readonly fate: Fate;
  /** Where a seam must differ: /check takes every method, and reads X-Svc-* headers. */
  readonly at?: Partial<Record<Seam, Fate>>;
}

/** `{sid}` becomes a session of the same length, by which the decisions about a frame are counted. */
const CALL = '{"agent_id":"agent-1","session_id":"{sid}","tool":"payments.refund"}';
const LENGTH = String(CALL.length);
const SIZE = CALL.length.toString(16);
/** The same without ten bytes. */
const REST_SIZE = (CALL.length - 10).toString(16);
const LINE = "POST {path} HTTP/1.1";
const HOST = "Host: localhost";
const REST = ["Connection: close", "Content-Type: application/json", "{call}"];
/** A second request, which must never be taken for one. */
const SMUGGLED = `${[LINE, HOST, ...REST.slice(1), `Content-Length: ${LENGTH}`].join("\r\n")}\r\n\r\n${CALL}`;

type Options = Pick<HostileFrame, "at">;

const frameOf = (
  name: string,
  lines: readonly string[],
  body: string,
): Pick<HostileFrame, "name" | "text"> => ({
  name,
  text: `${lines.join("\r\n")}\r\n\r\n${body}`,
});

/** A whole, correct body whose length these headers state. */
function framed(name: string, fate: Fate, headers: readonly string[], body = CALL): HostileFrame {
  return { ...frameOf(name, [LINE, HOST, ...REST, ...headers], body), fate };
}

/** A sound request but for these headers. */
function header(name: string, fate: Fate, headers: readonly string[], options: Options = {}): HostileFrame {
  return { ...framed(name, fate, [`Content-Length: ${LENGTH}`, ...headers]), ...options };
}

/** A sound request under another first line, or other Hosts. */
function line(name: string, fate: Fate, first: string, options: Options = {}): HostileFrame {
  return { ...frameOf(name, [first, HOST, ...REST, `Content-Length: ${LENGTH}`], CALL), fate, ...options };
}

function host(name: string, fate: Fate, ...hosts: readonly string[]): HostileFrame {
  return { ...frameOf(name, [LINE, ...hosts, ...REST, `Content-Length: ${LENGTH}`], CALL), fate };
}

/** A chunked body. */
function chunked(name: string, fate: Fate, body: string): HostileFrame {
  return framed(`chunks: ${name}`, fate, ["Transfer-Encoding: chunked"], body);
}

const lengths: readonly HostileFrame[] = [
  framed("length and chunked", "refused", [`Content-Length: ${LENGTH}`, "Transfer-Encoding: chunked"]),
  framed(
    "chunked and length",
    "refused",
    ["Transfer-Encoding: chunked", "Content-Length: 4"],
    `0\r\n\r\n${SMUGGLED}`,
  ),
  framed("two equal lengths", "refused", [`Content-Length: ${LENGTH}`, `Content-Length: ${LENGTH}`]),
  framed("two lengths", "refused", ["Content-Length: 0", `Content-Length: ${LENGTH}`]),
  ...["5, 5", "+47", "-1", "0x2f", "47 47", "4 7", "47,", "", "4e1", "99999999999999999999", "４７"].map(
    (length) => framed(`length ${JSON.stringify(length)}`, "refused", [`Content-Length: ${length}`]),
  ),
  framed("a length with spaces around it", "judged", [`Content-Length:  ${LENGTH} `]),
  framed("a length with leading zeros", "either", [`Content-Length: 00${LENGTH}`]),
  {
    ...framed("a length of nothing before a request", "refused", ["Content-Length: 0"], SMUGGLED),
    at: { check: "either" },
  },
  framed("a body behind its length", "either", [`Content-Length: ${LENGTH}`], CALL + SMUGGLED),
  ...[
    "identity",
    "gzip, chunked",
    "chunked, gzip",
    "chunked, chunked",
    "chunked, identity",
    "xchunked",
    "chunked;x=1",
  ].map((coding) => framed(`coding ${coding}`, "refused", [`Transfer-Encoding: ${coding}`])),
  framed("two codings", "refused", ["Transfer-Encoding: chunked", "Transfer-Encoding: identity"]),
  framed("two equal codings", "refused", ["Transfer-Encoding: chunked", "Transfer-Encoding: chunked"]),
  framed("a coding behind a vertical tab", "refused", ["Transfer-Encoding: \u000bchunked"]),
  framed("a coding behind a NUL", "refused", ["Transfer-Encoding: \0chunked"]),
  framed("a coding before a colon with a space", "refused", ["Transfer-Encoding : chunked"]),
  framed("a coding by an underscore", "refused", [`Content-Length: ${LENGTH}`, "Transfer_Encoding: chunked"]),
  framed("a length before a colon with a tab", "refused", [`Content-Length\t: ${LENGTH}`]),
  framed("a length by an underscore", "refused", [`Content-Length: ${LENGTH}`, "Content_Length: 0"]),
  framed("a coding behind a bare line feed", "refused", [
    `Content-Length: ${LENGTH}`,
    "X-A: 1\nTransfer-Encoding: chunked",
  ]),
  framed("a coding behind a bare carriage return", "refused", [
    `Content-Length: ${LENGTH}`,
    "X-A: 1\rTransfer-Encoding: chunked",
  ]),
];

const chunks: readonly HostileFrame[] = [
  chunked("one", "judged", `${SIZE}\r\n${CALL}\r\n0\r\n\r\n`),
  chunked("two", "judged", `a\r\n${CALL.slice(0, 10)}\r\n${REST_SIZE}\r\n${CALL.slice(10)}\r\n0\r\n\r\n`),
  chunked("an upper-case size", "judged", `${SIZE.toUpperCase()}\r\n${CALL}\r\n0\r\n\r\n`),
  chunked("leading zeros", "either", `000${SIZE}\r\n${CALL}\r\n000\r\n\r\n`),
  chunked("an extension", "either", `${SIZE};a=b\r\n${CALL}\r\n0\r\n\r\n`),
  chunked("an extension in quotes", "either", `${SIZE};a="b;c"\r\n${CALL}\r\n0\r\n\r\n`),
  chunked("an extension with a line feed", "refused", `${SIZE};a\nb\r\n${CALL}\r\n0\r\n\r\n`),
  chunked("a size of 0x", "refused", `0x${SIZE}\r\n${CALL}\r\n0\r\n\r\n`),
  chunked("a negative size", "refused", `-${SIZE}\r\n${CALL}\r\n0\r\n\r\n`),
  chunked("a size with a plus", "refused", `+${SIZE}\r\n${CALL}\r\n0\r\n\r\n`),
  chunked("a size behind a space", "refused", ` ${SIZE}\r\n${CALL}\r\n0\r\n\r\n`),
  chunked("no size", "refused", `\r\n${CALL}\r\n0\r\n\r\n`),
  chunked("a size that overflows", "refused", `fffffffffffffffff1\r\n${CALL}\r\n0\r\n\r\n`),
  chunked("a size that is not a number", "refused", `zz\r\n${CALL}\r\n0\r\n\r\n`),
  chunked("bare line feeds", "refused", `${SIZE}\n${CALL}\n0\n\n`),
  chunked("no line end behind the data", "refused", `${SIZE}\r\n${CALL}0\r\n\r\n`),
  chunked("data longer than its size", "refused", `5\r\n${CALL}\r\n0\r\n\r\n`),
  chunked("trailers", "judged", `${SIZE}\r\n${CALL}\r\n0\r\nX-A: 1\r\n\r\n`),
  chunked("a trailer that names a tool", "judged", `${SIZE}\r\n${CALL}\r\n0\r\nX-Svc-Tool: db.drop\r\n\r\n`),
  chunked("a trailer that tells a length", "either", `${SIZE}\r\n${CALL}\r\n0\r\nContent-Length: 5\r\n\r\n`),
  chunked("a request behind the last", "either", `${SIZE}\r\n${CALL}\r\n0\r\n\r\n${SMUGGLED}`),
];

const versions: readonly HostileFrame[] = [
  ...[
    "HTTP/0.9",
    "HTTP/2.0",
    "HTTP/3.0",
    "HTTP/1.2",
    "HTTP/1.10",
    "HTTP/01.1",
    "http/1.1",
    "HTTPS/1.1",
    "HTTP/1,1",
    "HTTP /1.1",
    "HTTP/1.1 x",
    "HTTP",
  ].map((version) => line(`version ${version}`, "refused", `POST {path} ${version}`)),
  line("no version", "refused", "POST {path}"),
  line("HTTP/1.0 with a Host", "either", "POST {path} HTTP/1.0"),
  line("two spaces", "either", "POST  {path} HTTP/1.1"),
  line("a tab", "refused", "POST\t{path} HTTP/1.1"),
  { name: "the preface of HTTP/2", text: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", fate: "refused" },
  { ...line("an empty line first", "either", "\r\nPOST {path} HTTP/1.1") },
  line("a space first", "refused", " POST {path} HTTP/1.1"),
  {
    ...line("bare line feeds", "refused", LINE),
    text: line("", "refused", LINE).text.replaceAll("\r\n", "\n"),
  },
];

const names: readonly HostileFrame[] = [
  header("a folded header", "refused", ["X-A: 1\r\n folded"]),
  header("a header folded by a tab", "refused", ["X-A: 1\r\n\tfolded"]),
  header("a folded tool", "refused", ["X-B: a\r\n X-Svc-Tool: db.drop"]),
  header("a header without a colon", "refused", ["X-A"]),
  header("a header without a name", "refused", [": 1"]),
  header("a space in a name", "refused", ["X A: 1"]),
  header("NUL in a value", "refused", ["X-A: \0"]),
  header("20 KiB of header", "refused", [`X-A: ${"x".repeat(20 * 1024)}`]),
  header(
    "1,000 headers",
    "refused",
    Array.from({ length: 1_000 }, (_, at) => `x${String(at)}: 1`),
  ),
  header("an unknown expectation", "refused", ["Expect: 200-ok"]),
  header("a known expectation", "judged", ["Expect: 100-continue"]),
  header("an offer of HTTP/2", "either", ["Upgrade: h2c", "HTTP2-Settings: AAMAAABkAAQAAP__"]),
  // Only adapters read these; execute takes the call from its body.
  ...["X_Svc_Agent_Id: agent-2", "X.Svc.Tool: db.drop", "X-Svc-Tool-: db.drop", "x-svc_tool: db.drop"].map(
    (text) =>
      header(`look-alike ${text}`, "refused", [text], { at: { execute: "judged", verdict: "either" } }),
  ),
  header("an agent twice", "refused", ["X-Svc-Agent-Id: agent-1", "X-Svc-Agent-Id: agent-2"], {
    at: { execute: "judged", verdict: "either" },
  }),
];

const hosts: readonly HostileFrame[] = [
  host("no Host", "refused"),
  host("two Hosts", "refused", HOST, "Host: evil.example"),
  host("two equal Hosts", "refused", HOST, "host: localhost"),
  ...[
    "evil.example",
    "localhost@evil.example",
    "localhost/x",
    "local host",
    "",
    "localhost, evil.example",
    "localhost:99999999",
    "[::1",
    "loc\u00e4lhost",
    "localhost#",
    "127.0.0.1.evil.example",
    "0.0.0.0",
  ].map((name) => host(`Host ${JSON.stringify(name)}`, "refused", `Host: ${name}`)),
  host("an upper-case Host", "judged", "HOST: LOCALHOST:1"),
];

const targets: readonly HostileFrame[] = [
  ...[
    "http://localhost{path}",
    "http://evil.example{path}",
    "*",
    "localhost:80",
    "{path}#x",
    "/{path}",
    "/x/..{path}",
    "/x/%2e%2e{path}",
    "/x%2f..{path}",
    "\\{path}",
    "{path} x",
    "{path}\t",
    "{path}\0",
    "{path}\u00e4",
    "{path}%",
    "{path}%zz",
  ].map((target) => line(`target ${JSON.stringify(target)}`, "refused", `POST ${target} HTTP/1.1`)),
  ...["{path};x", "{path}%20", "{path}x", "/.{path}"].map((target) =>
    line(`target ${JSON.stringify(target)}`, "refused", `POST ${target} HTTP/1.1`),
  ),
  line("a slash at the end", "refused", "POST {path}/ HTTP/1.1", { at: { check: "judged" } }),
  line("a query", "refused", "POST {path}?x=1 HTTP/1.1", { at: { check: "judged" } }),
];

const methods: readonly HostileFrame[] = [
  ...["PUT", "DELETE", "PATCH", "OPTIONS"].map((method) =>
    line(`method ${method}`, "refused", `${method} {path} HTTP/1.1`, { at: { check: "judged" } }),
  ),
  line("method GET", "refused", "GET {path} HTTP/1.1", { at: { check: "judged" } }),
  ...["post", "EXECUTE", "P OST", "", "PO\0ST", "POST\u00e4", "CONNECT"].map((method) =>
    line(`method ${JSON.stringify(method)}`, "refused", `${method} {path} HTTP/1.1`),
  ),
  line("method TRACE", "refused", "TRACE {path} HTTP/1.1", { at: { check: "either" } }),
];

/** Lengths, chunks, versions, names, Hosts, targets and methods that two parsers may read apart. */
export const HOSTILE_FRAMES: readonly HostileFrame[] = [
  ...lengths,
  ...chunks,
  ...versions,
  ...names,
  ...hosts,
  ...targets,
  ...methods,
];

const CALL_HEADERS: Readonly<Record<Seam, string>> = {
  execute: "Authorization: Bearer {key}",
  check: "X-Svc-Tool: payments.refund\r\nX-Svc-Agent-Id: agent-1\r\nX-Svc-Session-Id: {sid}",
  verdict: "X-A: 1",
};

const PATHS: Readonly<Record<Seam, string>> = {
  execute: "/v1/gateway/execute",
  check: "/check",
  verdict: "/verdict",
};

/** The session of a frame at a seam: five characters, as its place in the text. */
export function sessionOf(frame: HostileFrame, seam: Seam): string {
  return `${seam.slice(0, 1)}-${String(HOSTILE_FRAMES.indexOf(frame)).padStart(3, "0")}`;
}

/** The bytes of a frame for one seam. The key is sent to execute alone. */
export function bytesOf(frame: HostileFrame, seam: Seam, key: string): Buffer {
  const headers = CALL_HEADERS[seam].replace("{key}", key);
  const sound = frame.text.replaceAll("{path}", PATHS[seam]).replaceAll("{call}", headers);
  return Buffer.from(sound.replaceAll("{sid}", sessionOf(frame, seam)), "latin1");
}
