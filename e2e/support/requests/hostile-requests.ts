import { Buffer } from "node:buffer";

/** One request that must be refused, byte for byte. `{path}` stands for the path of the endpoint. */
export interface HostileRequest {
  readonly name: string;
  readonly statuses: readonly number[];
  readonly bytes: Buffer;
}

const JSON_TYPE = "Content-Type: application/json";
const CALL = '{"agent_id":"agent-1","session_id":"s-1","tool":"payments.refund","args":{}}';
const NESTED_TOO_DEEP = 65;

const bytesOf = (lines: readonly string[], body: string | Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), Buffer.from(body)]);

/** A sound request but for its body. */
function withBody(name: string, body: string | Buffer, ...statuses: number[]): HostileRequest {
  const length = `Content-Length: ${String(Buffer.byteLength(body))}`;
  const lines = ["POST {path} HTTP/1.1", "Host: localhost", "Connection: close", JSON_TYPE, length];
  return { name, statuses: statuses.length === 0 ? [400] : statuses, bytes: bytesOf(lines, body) };
}

/** A sound body under other headers. `Content-Length` is added unless they say how long the body is. */
function withHeaders(name: string, headers: readonly string[], ...statuses: number[]): HostileRequest {
  const framed = headers.some((line) => /^(?:content-length|transfer-encoding)/i.test(line));
  const length = framed ? [] : [`Content-Length: ${String(CALL.length)}`];
  const lines = ["POST {path} HTTP/1.1", "Host: localhost", "Connection: close", ...length, ...headers];
  return { name, statuses, bytes: bytesOf(lines, CALL) };
}

/** A sound body and headers under another first line, with another Host. */
function withLine(name: string, line: string, ...hosts: string[]): HostileRequest {
  const lines = [line, ...(hosts.length === 0 ? ["Host: localhost"] : hosts), "Connection: close", JSON_TYPE];
  const length = `Content-Length: ${String(CALL.length)}`;
  return { name, statuses: [400, 404, 405], bytes: bytesOf([...lines, length], CALL) };
}

const args = (text: string): string => `{"agent_id":"agent-1","tool":"payments.refund","args":${text}}`;
const field = (name: string, value: string): string =>
  `{"agent_id":"agent-1","tool":"payments.refund",${name}:${value}}`;
const bad = (prefix: string, ...bytes: number[]): Buffer =>
  Buffer.concat([Buffer.from(`${prefix}"agent_id":"`), Buffer.from(bytes), Buffer.from('","tool":"x"}')]);

const bodies: readonly HostileRequest[] = [
  ...["__proto__", "constructor", "prototype", "\\u005f_proto__"].flatMap((key) => [
    withBody(`E1: ${key}`, field(`"${key}"`, "{}")),
    withBody(`E1: ${key} in the arguments`, args(`{"a":[{"${key}":{"admin":true}}]}`)),
  ]),
  withBody("E3: tool twice", field('"tool"', '"payments.refund"')),
  withBody("E3: tool twice, once escaped", field('"\\u0074ool"', '"payments.refund"')),
  withBody("E3: an argument twice", args('{"a":1,"a":2}')),
  ...["Tool", "TOOL", "tool\\u0000", "ſession_id", "seſsion_id", "agent_ıd", "\u212Aey", "tool "].map((key) =>
    withBody(`E3: ${key}`, field(`"${key}"`, '"x"')),
  ),
  withBody("E4: a level too deep", args(`${'{"a":'.repeat(NESTED_TOO_DEEP)}1${"}".repeat(NESTED_TOO_DEEP)}`)),
  withBody("E4: 100,000 open arrays", "[".repeat(100_000)),
  withBody("E4: 100,000 arrays", args(`${"[".repeat(100_000)}${"]".repeat(100_000)}`)),
  withBody("E5: a byte too many", args(`"${"x".repeat(256 * 1024)}"`), 413),
  ...["1e999", "-1e999", "1E400", "9007199254740993", "NaN", "Infinity", "0x10", "01", "+1", "1.", ".5"].map(
    (number) => withBody(`E8: ${number}`, args(`{"a":${number}}`)),
  ),
  ...['"5,000"', "-1", '"-1"', '"NaN"', '"1e3"', "1e-7", '"0.0000001"', "[]", "true", '" 1"', '"0x1"'].map(
    (cost) => withBody(`E8, E17: cost_usd ${cost}`, field('"cost_usd"', cost)),
  ),
  withBody("E9: an overlong encoding", bad("{", 0xc0, 0xaf)),
  withBody("E9: a cut sequence", bad("{", 0xe2, 0x82)),
  withBody("E9: a surrogate in UTF-8", bad("{", 0xed, 0xa0, 0x80)),
  withBody("E9: a byte order mark", `\uFEFF${CALL}`),
  withBody("E9: a lone surrogate", args('{"a":"\\ud800"}')),
  withBody("E9: UTF-16", Buffer.from(CALL, "utf16le")),
  ...["\\u0000", "a\\u0000b", "", " ", "a b ", "e\\u0301", "p\\u0430y", "a*", "\\u202e"].map((agent) =>
    withBody(`E9: agent_id ${JSON.stringify(agent)}`, `{"agent_id":"${agent}","tool":"x"}`),
  ),
  ...["", "null", "[]", "[1]", '"x"', "1", "{", "{}", CALL + CALL, `${CALL},`, `/**/${CALL}`].map((body) =>
    withBody(`not a call: ${body.slice(0, 20)}`, body),
  ),
  ...['{"agent_id":1,"tool":"x"}', args("[]"), args("null"), field('"extra"', "1")].map((body) =>
    withBody(`not a call: ${body}`, body),
  ),
];

const headers: readonly HostileRequest[] = [
  ...["gzip", "br", "zstd", "deflate", "gzip, gzip", "identity, gzip", "x-gzip", "GZIP"].map((coding) =>
    withHeaders(`E6: ${coding}`, [JSON_TYPE, `Content-Encoding: ${coding}`], 415),
  ),
  ...[
    "text/plain",
    "application/json\t;x",
    "application/json;x=1",
    "application/json; charset=utf-16",
    "application/json; charset=utf-8; charset=utf-16",
    "application/json, text/plain",
    "application/jsonp",
    "application/json+x",
    "application",
    "*/*",
    "multipart/form-data; boundary=x",
    "application/x-www-form-urlencoded",
  ].map((type) => withHeaders(`E7: ${JSON.stringify(type)}`, [`Content-Type: ${type}`], 415)),
  withHeaders("E7: two media types", [JSON_TYPE, "Content-Type: text/plain"], 415),
  withHeaders("E7: no media type", [], 415),
  ...["abc", "0x5", "+5", "-1", "5 5", "5, 5", "99999999999999999999"].map((length) =>
    withHeaders(`E5: Content-Length ${length}`, [JSON_TYPE, `Content-Length: ${length}`], 400, 413),
  ),
  withHeaders("E5: a gigabyte", [JSON_TYPE, "Content-Length: 1073741824"], 413),
  withHeaders("E21: two lengths", [JSON_TYPE, "Content-Length: 5", "Content-Length: 6"], 400),
  withHeaders("E21: two equal lengths", [JSON_TYPE, "Content-Length: 5", "Content-Length: 5"], 400),
  withHeaders("E21: length and chunked", [JSON_TYPE, "Content-Length: 5", "Transfer-Encoding: chunked"], 400),
  ...["gzip, chunked", "identity", "chunked, chunked", "xchunked", "chunked;x"].map((coding) =>
    withHeaders(`E21: Transfer-Encoding ${coding}`, [JSON_TYPE, `Transfer-Encoding: ${coding}`], 400),
  ),
  withHeaders("E21: a space in a name", [JSON_TYPE, "Transfer-Encoding : chunked"], 400),
  withHeaders("E21: a folded header", [JSON_TYPE, "X-A: 1\r\n folded"], 400),
  withHeaders("E21: a bare line feed", [`${JSON_TYPE}\nX-A: 1`], 400),
  withHeaders("E21: NUL in a header", [JSON_TYPE, "X-A: \0"], 400),
  withHeaders("E21: an unknown expectation", [JSON_TYPE, "Expect: 200-ok"], 400, 417),
  withHeaders("E22: headers of 20 KiB", [JSON_TYPE, `X-A: ${"x".repeat(20 * 1024)}`], 431),
  withHeaders(
    "E22: 1,000 headers",
    [JSON_TYPE, ...Array.from({ length: 1_000 }, (_, at) => `x${String(at)}: 1`)],
    400,
    431,
  ),
  withHeaders("E18: two keys", [JSON_TYPE, "Idempotency-Key: 0123456789abcdef", "Idempotency-Key: 0"], 400),
  withHeaders("E18: a key with a space", [JSON_TYPE, "Idempotency-Key: 0123456789 abcdef"], 400),
];

const lines: readonly HostileRequest[] = [
  withLine("E21: no Host, in HTTP/1.0", "POST {path} HTTP/1.0", "X-A: 1"),
  withLine("E21: two Hosts", "POST {path} HTTP/1.1", "Host: localhost", "Host: evil.example"),
  withLine("E21: two equal Hosts", "POST {path} HTTP/1.1", "Host: localhost", "host: localhost"),
  withLine("E21: absolute form", "POST http://evil.example{path} HTTP/1.1"),
  withLine("E21: asterisk form", "POST * HTTP/1.1"),
  withLine("E21: a fragment", "POST {path}#x HTTP/1.1"),
  withLine("E21: an empty segment", "POST /{path} HTTP/1.1"),
  withLine("E21: a dot segment", "POST /x/..{path} HTTP/1.1"),
  withLine("E21: an encoded dot segment", "POST /x/%2e%2e{path} HTTP/1.1"),
  withLine("E21: an encoded slash", "POST /x%2f..{path} HTTP/1.1"),
  withLine("E21: a backslash", "POST \\{path} HTTP/1.1"),
  withLine("E21: a parameter", "POST {path};x HTTP/1.1"),
  withLine("E21: a slash at the end", "POST {path}/ HTTP/1.1"),
  withLine("E21: a query", "POST {path}?x=1 HTTP/1.1"),
  withLine("E21: HTTP/0.9", "POST {path}"),
  withLine("E21: HTTP/3.0", "POST {path} HTTP/3.0"),
  withLine("E21: an unknown method", "EXECUTE {path} HTTP/1.1"),
  ...["GET", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "post"].map((method) =>
    withLine(`E21: ${method}`, `${method} {path} HTTP/1.1`),
  ),
];

/** Everything that the path of tool calls must refuse with a 4xx. */
export const hostileRequests: readonly HostileRequest[] = [...bodies, ...headers, ...lines];

/** The bytes with the path in its place, and with a key that may call. */
export function requestTo(path: string, { bytes }: HostileRequest, key: string): Buffer {
  const close = "Connection: close\r\n";
  const text = bytes.toString("latin1").replace(close, `${close}Authorization: Bearer ${key}\r\n`);
  return Buffer.from(text.replaceAll("{path}", path), "latin1");
}
