// alone: it measures processor time
// long: each route is sent its largest bodies
import { connect } from "node:net";
import { text as readText } from "node:stream/consumers";
import { fullPaths } from "@svc/api/match-path";
import type { RouteDefinition } from "@svc/api/route";
import { CONTROL_ROUTES } from "@svc/api/route-table";
import type { JsonValue } from "@svc/text/json-value";
import { MAX_BODY_BYTES } from "@svc/text/limits";
import { expect, it } from "vitest";
import { startControlApi } from "./testing/control-api.suite.ts";

/** Milliseconds of the serving thread's processor time that one body may cost. */
const MAX_COST_MS = 50;

/** Times that a body is sent until one costs little enough, because other programs slow this one down. */
const ATTEMPTS = 5;

const MICROSECONDS_PER_MS = 1_000;

/** Milliseconds that JSON.parse takes for the widest object on a quiet core. A slower one gets more time. */
const QUIET_PARSE_MS = 12;

const WIDE_OBJECT = filled("{", (at) => `"${at.toString(36)}":0`, "}");

/** How much slower this machine is at present than a quiet one, at least 1. */
function slowdown(): number {
  const costs = Array.from({ length: ATTEMPTS }, () => {
    const before = process.threadCpuUsage();
    JSON.parse(WIDE_OBJECT);
    return costSince(before);
  });
  return Math.max(1, Math.min(...costs) / QUIET_PARSE_MS);
}

/** Milliseconds of this thread's processor time. Unlike time on a clock, other programs do not add to it. */
function costSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / MICROSECONDS_PER_MS;
}

/** A body of at most the largest size, made of `before`, as many pieces as fit, and `after`. */
function filled(before: string, piece: (at: number) => string, after: string): string {
  let body = before;
  for (let at = 0; ; at += 1) {
    const next = `${at === 0 ? "" : ","}${piece(at)}`;
    if (body.length + next.length + after.length > MAX_BODY_BYTES) return body + after;
    body += next;
  }
}

function repeated(before: string, piece: string, after: string): string {
  return before + piece.repeat((MAX_BODY_BYTES - before.length - after.length) / piece.length) + after;
}

/** What a caller could send to a route with these fields. */
function hostileBodies(example: JsonValue): readonly (readonly [name: string, body: string])[] {
  const fields = typeof example === "object" && example !== null ? Object.keys(example) : [];
  const [field = "id"] = fields;
  const own = JSON.stringify(example).slice(0, -1);
  const nested = "[".repeat(60) + "]".repeat(60);
  return [
    ["open brackets", "[".repeat(MAX_BODY_BYTES)],
    ["open objects", '{"a":'.repeat(MAX_BODY_BYTES / 5)],
    ["nested arrays", filled(`{"${field}":[`, () => nested, "]}")],
    ["unknown keys", WIDE_OBJECT],
    ["unknown keys beside the known ones", filled(`${own},`, (at) => `"${at.toString(36)}":0`, "}")],
    ["keys like known ones", filled("{", (at) => `"${field}${at.toString(36)}":0`, "}")],
    ["one long key", repeated('{"', "k", '":0}')],
    ["equal keys", filled("{", () => '"a":0', "}")],
    ["escapes", repeated(`{"${field}":"`, "\\u0041", '"}')],
    ["escaped surrogates", repeated(`{"${field}":"`, "\\ud83d\\ude00", '"}')],
    ["an escaped key", repeated('{"', "\\u0041", '":0}')],
    ["digits", repeated(`{"${field}":`, "9", "}")],
    ["digits behind a point", repeated(`{"${field}":0.`, "1", "}")],
    ["numbers", filled(`{"${field}":[`, () => "1e308", "]}")],
    ["small objects", filled(`{"${field}":[`, () => '{"a":{}}', "]}")],
    ["white space", repeated("{", " ", "}")],
    ["a long text", repeated(`{"${field}":"`, "x", '"}')],
    ["a long text without a letter", repeated(`{"${field}":"`, " ", '"}')],
    ...deepLists(example),
  ];
}

/** Where an example nests objects, the innermost field gets a list that is much too long. */
function deepLists(example: JsonValue): readonly (readonly [name: string, body: string])[] {
  const path: string[] = [];
  let at = example;
  while (typeof at === "object" && at !== null && !Array.isArray(at)) {
    const [key, value] = Object.entries(at)[0] ?? [];
    if (key === undefined || value === undefined) break;
    path.push(key);
    at = value;
  }
  const before = path.map((key) => `{"${key}":`).join("");
  return [
    ["a list at the innermost field", filled(`${before}[`, () => '{"a":1}', `]${"}".repeat(path.length)}`)],
    [
      "channels",
      filled('{"rogue_detection":{"escalation":{"notify_channels":[', () => '{"webhok":"a"}', "]}}}"),
    ],
  ];
}

const routes = Object.entries<RouteDefinition>(CONTROL_ROUTES).flatMap(([id, definition]) => {
  const [path = ""] = fullPaths(definition);
  const { body } = definition;
  return body === null
    ? []
    : [{ id, body, method: definition.method, path: path.replaceAll(/\{[a-z_]+\}/g, "x") }];
});

it("walks every route that takes a body", () => {
  expect(routes.length).toBeGreaterThan(5);
  expect(hostileBodies({ id: "p" }).every(([, body]) => body.length > MAX_BODY_BYTES - 200)).toBe(true);
  expect(hostileBodies({ id: "p" }).every(([, body]) => body.length <= MAX_BODY_BYTES)).toBe(true);
});

const elsewhere = (): Promise<never> => Promise.reject(new Error("not on this thread"));

// proves API-31
it.each(routes)(
  "$id: the largest body costs little, whatever it holds",
  async ({ method, path, body }) => {
    const { port } = await startControlApi({
      // Other threads read policy documents and simulations.
      controlPlane: {
        documents: { check: elsewhere },
        simulations: { read: elsewhere, simulate: elsewhere, explain: elsewhere, diff: elsewhere },
      },
    });
    const type = body.kind === "text" ? (body.mediaTypes[0] ?? "") : "application/json";
    const send = async (content: string): Promise<number> => {
      const head = `${method} ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: ${type}\r\n`;
      const bytes = Buffer.from(
        `${head}Content-Length: ${String(content.length)}\r\n\r\n${content}`,
        "latin1",
      );
      const before = process.threadCpuUsage();
      const socket = connect(port, "127.0.0.1");
      socket.write(bytes);
      const answer = await readText(socket);
      const cost = costSince(before);
      expect(answer).toMatch(/^HTTP\/1\.1 (?:[24]\d\d|503) /);
      return cost;
    };
    await send("{}");
    for (const [name, content] of hostileBodies(body.kind === "json" ? body.example : null)) {
      let least = Number.POSITIVE_INFINITY;
      for (let attempt = 0; attempt < ATTEMPTS && least >= MAX_COST_MS; attempt += 1) {
        const cost = await send(content);
        // A cost that is small enough as it is needs no measurement of the machine, which takes much longer.
        least = Math.min(least, cost < MAX_COST_MS ? cost : cost / slowdown());
      }
      expect([name, least < MAX_COST_MS]).toEqual([name, true]);
    }
  },
  120_000,
);
