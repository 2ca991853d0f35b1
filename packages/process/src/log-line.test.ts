import { describe, expect, it } from "vitest";
import type { LogFormat } from "./log-format.ts";
import { logRendererOf } from "./log-line.ts";

const renderLogLine = logRendererOf("text", { isTerminal: false, environment: {} });

const START = {
  level: 30,
  time: Date.UTC(2026, 10, 24, 15, 49, 2),
  pid: 7,
  hostname: "h",
  name: "svc-server",
};

function rendered(fields: object): string {
  return renderLogLine(`${JSON.stringify({ ...START, ...fields })}\n`);
}

// proves OPS-90
it("has the time, the level, the program, the message and the fields of the event", () => {
  const line = rendered({ url: "http://127.0.0.1:8080", metrics: null, lines: 2, msg: "listening" });
  expect(line).toBe(
    "2026-11-24 15:49:02Z  INFO   svc-server  listening  url=http://127.0.0.1:8080  lines=2\n",
  );
});

// proves OPS-90
it("quotes a value that has spaces, and cuts one that is long", () => {
  expect(rendered({ reason: "a b", settings: { SVC_ROLE: "all" }, msg: "m" })).toContain(
    'm  reason="a b"  settings={"SVC_ROLE":"all"}\n',
  );
  expect(rendered({ long: "x".repeat(5_000), msg: "m" }).length).toBeLessThan(400);
});

// proves OPS-90
it("shows an error's message as a field, and the places of its stack below", () => {
  const err = {
    type: "Error",
    message: "no room",
    stack: "Error: no room\n    at open (a.ts:1:2)\n    at b.ts:3:4",
  };
  expect(rendered({ err, msg: "a request failed", level: 50 })).toBe(
    '2026-11-24 15:49:02Z  ERROR  svc-server  a request failed  error="no room"\n' +
      "    at open (a.ts:1:2)\n    at b.ts:3:4\n",
  );
});

// proves OPS-39
it.each([
  [
    { level: "toString", time: "yesterday", msg: 7, name: null, err: "text" },
    "?  INFO   time=yesterday  msg=7  err=text\n",
  ],
  [
    { level: {}, time: 1e300, msg: [], err: { message: 7 } },
    '?  INFO   svc-server  msg=[]  err={"message":7}\n',
  ],
])("writes a line whatever an event has in place of what the log writes: %j", (fields, expected) => {
  expect(rendered(fields)).toBe(expected);
});

// proves OPS-91
it.each([
  ["a message", { msg: "\u001b]0;owned\u0007 \u202e\u009b31m\nsecond" }],
  ["a value", { value: "\u001b[2J\u009b31m\u202e\r\n", msg: "m" }],
  ["a name of a field", { "\u001b[2J\n": 1, msg: "m" }],
  ["a nested value", { value: { "\u009b": ["\u001b[2J\n"] }, msg: "m" }],
  ["the name of the program", { name: "\u001b[2J\n", msg: "m" }],
  ["the message of an error", { err: { message: "\u001b[2J\n", stack: "" }, msg: "m" }],
  ["the stack of an error", { err: { message: "m", stack: "\n    at \u001b[2J\u009b" }, msg: "m" }],
])("makes control characters visible: %s", (_, fields) => {
  const text = rendered(fields);
  expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  expect(
    text
      .trimEnd()
      .split("\n")
      .filter((line) => !line.startsWith("    at ")),
  ).toHaveLength(1);
});

// proves OPS-91
it("makes the control characters of a text visible that is not a log line", () => {
  expect(renderLogLine("\u001b[2J plain\n")).toBe("\\u{1b}[2J plain\n");
});

// proves OPS-90
describe("the form of log lines", () => {
  const JSON_LINE = '{"level":40,"time":1795502082427,"msg":"m"}\n';
  const FOR_PEOPLE = /^2026-\d\d-\d\d \d\d:\d\d:\d\dZ {2}WARN {3}m\n$/;
  const ESCAPE = "\u001b[";

  function written(format: LogFormat, isTerminal: boolean, environment = {}): string {
    return logRendererOf(format, { isTerminal, environment })(JSON_LINE);
  }

  it.each([
    ["auto", false],
    ["json", false],
    ["json", true],
  ] as const)("is JSON with %s, and a terminal: %s", (format, isTerminal) => {
    expect(written(format, isTerminal)).toBe('{"level":40,"time":"2026-11-24T06:34:42.427Z","msg":"m"}\n');
  });

  it.each([
    ["auto", true],
    ["text", true],
    ["text", false],
  ] as const)("is text with %s, and a terminal: %s", (format, isTerminal) => {
    expect(written(format, isTerminal, { NO_COLOR: "1" })).toMatch(FOR_PEOPLE);
  });

  it.each([
    [true, {}, true],
    [true, { NO_COLOR: "1" }, false],
    [true, { TERM: "dumb" }, false],
    [false, {}, false],
    [false, { FORCE_COLOR: "1" }, false],
  ])("on a terminal: %s, with %o, it has colours: %s", (isTerminal, environment, expected) => {
    expect(written("text", isTerminal, environment).includes(ESCAPE)).toBe(expected);
  });
});
