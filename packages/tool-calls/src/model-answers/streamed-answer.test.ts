import type { JsonObject } from "@svc/text/json-value";
import { describe, expect, it } from "vitest";
import type { Result } from "../result.ts";
import { CHAT, MESSAGES, RESPONSES_BY_DELTA, sentEvents } from "../testing/streamed-answers.ts";
import { type ModelAnswer, type ModelInterface, readStreamedAnswer } from "./model-answer.ts";

const MAX_BYTES = 1024 * 1024;

type Events = readonly object[];

function parse(events: Events | string, kind: ModelInterface = "openai"): Result<ModelAnswer> {
  const text = typeof events === "string" ? events : sentEvents(events);
  return readStreamedAnswer(Buffer.from(text), kind, MAX_BYTES);
}

function callsIn(parsed: Result<ModelAnswer>): unknown {
  return parsed.ok ? parsed.value.calls : parsed.deny.reason;
}

const WRITTEN = [{ tool: "a", pieces: ['{"x"', ":1}"] }];
const JUDGED = [{ tool: "a", args: { x: 1 } }];

/** The events with the one at a place changed, left out (null), or followed by others. */
function edited(events: Events, at: number, edit: object | null, ...more: Events): Events {
  const place = at < 0 ? events.length + at : at;
  return events.flatMap((event, index) =>
    index === place ? [...(edit === null ? [] : [{ ...event, ...edit }]), ...more] : [event],
  );
}

const delta = (more: object, finish: string | null = null, index = 0): object => ({
  choices: [{ index, delta: more, finish_reason: finish }],
});
const tool = (index: unknown, more: object): object => ({ tool_calls: [{ index, ...more }] });
const begin = (name = "a", args = ""): object => ({ function: { name, arguments: args } });
const more = (args: string): object => ({ function: { arguments: args } });

describe("chat completion chunks", () => {
  const chat = CHAT.write(WRITTEN);
  const judged: readonly (readonly [name: string, events: Events, calls: object])[] = [
    ["a call in fragments", chat, JUDGED],
    ["text asks nothing", [delta({ content: "hi" }), delta({}, "stop")], []],
    ["text that was cut off asks nothing", [delta({ content: "hi" })], []],
    ["an error asks nothing", [{ error: { message: "no" } }], []],
    ["an error behind text", [delta({ content: "hi" }), { error: { message: "no" } }], []],
    ["a call in one chunk", [delta(tool(0, begin("a", '{"x":1}')), "tool_calls")], JUDGED],
    [
      "a call without arguments",
      [delta(tool(0, { function: { name: "a" } })), delta({}, "stop")],
      [{ tool: "a", args: {} }],
    ],
    [
      "the older form",
      [
        delta({ function_call: { name: "a", arguments: '{"x"' } }),
        delta({ function_call: { arguments: ":1}" } }),
        delta({}, "function_call"),
      ],
      JUDGED,
    ],
    [
      "a custom tool",
      [
        delta(tool(0, { type: "custom", custom: { name: "sql", input: "select" } })),
        delta(tool(0, { custom: { input: " 1" } })),
        delta({}, "tool_calls"),
      ],
      [{ tool: "sql", args: { input: "select 1" } }],
    ],
    [
      "two choices, in the order of their indices",
      [
        delta(tool(0, begin("second")), null, 1),
        delta(tool(0, begin("first")), null, 0),
        delta(tool(0, more('{"x":2}')), "tool_calls", 1),
        delta({}, "tool_calls", 0),
      ],
      [
        { tool: "first", args: {} },
        { tool: "second", args: { x: 2 } },
      ],
    ],
  ];
  it.each(judged)("%s", (_, events, calls) => {
    expect(callsIn(parse(events))).toEqual(calls);
  });

  const begun = delta(tool(0, begin()));
  const end = delta({}, "tool_calls");
  const refused: readonly (readonly [name: string, events: Events])[] = [
    ["a call that is never finished", [begun]],
    ["a call cut off by its length", [begun, delta({}, "length")]],
    ["half of the arguments", [begun, delta(tool(0, more('{"x"'))), delta({}, "length")]],
    ["half of the arguments, called whole", [begun, delta(tool(0, more('{"x"'))), end]],
    ["a filtered call", [begun, delta({}, "content_filter")]],
    ["an error behind a call", [begun, { error: { message: "no" } }]],
    ["a chunk behind an error", [{ error: { message: "no" } }, begun, end]],
    ["a gap", [delta(tool(1, begin())), end]],
    ["a fragment of an earlier call", [begun, delta(tool(1, begin())), delta(tool(0, more("{}"))), end]],
    ["a name twice", [begun, delta(tool(0, begin())), end]],
    ["a second name", [begun, delta(tool(0, begin("b"))), end]],
    ["no name at first", [delta(tool(0, more(""))), delta(tool(0, begin())), end]],
    ["no index", [delta(tool(undefined, begin())), end]],
    ["an index that is a text", [delta(tool("0", begin())), end]],
    ["a negative index", [delta(tool(-1, begin())), end]],
    ["no index of the choice", [{ choices: [{ delta: tool(0, begin()), finish_reason: "tool_calls" }] }]],
    ["a call behind the finish", [begun, end, delta(tool(1, begin())), end]],
    ["two ways to finish", [begun, end, delta({}, "stop")]],
    ["both kinds of call", [delta(tool(0, { ...begin(), custom: { name: "b" } })), end]],
    ["a call that changes its kind", [begun, delta(tool(0, { custom: { input: "x" } })), end]],
    ["a call of another type", [delta(tool(0, { type: "mcp", ...begin() })), end]],
    ["arguments that are not a text", [delta(tool(0, { function: { name: "a", arguments: {} } })), end]],
    ["calls that are not a list", [delta({ tool_calls: { 0: begin() } }), end]],
    [
      "calls in a message beside the delta",
      [{ choices: [{ index: 0, delta: {}, message: { tool_calls: [begin()] } }] }],
    ],
    [
      "the older form, its name twice",
      [delta({ function_call: { name: "a" } }), delta({ function_call: { name: "a" } }), end],
    ],
    ["neither choices nor an error", [{}]],
    ["events of another interface between", [{ ...begun, type: "response.output_item.added" }, end]],
    ["an output beside the choices", [{ ...begun, output: [] }, end]],
    ["a call as a part of the content", [delta({ content: [{ type: "tool_use", name: "a" }] })]],
    ["a call as a block", [delta({ content_blocks: [{ content_block: { type: "tool_use" } }] })]],
    ["a look-alike of calls", [delta({ Tool_calls: [begin()] })]],
    ["a look-alike of the delta", [{ choices: [{ index: 0, delta: {}, Delta: tool(0, begin()) }] }]],
    ["a look-alike of the choices", [{ choices: [], Choices: [{ delta: tool(0, begin()) }] }]],
    ["a look-alike of the function", [delta(tool(0, { ...begin(), Function: { name: "b" } })), end]],
    [
      "a look-alike of the arguments",
      [delta(tool(0, begin())), delta(tool(0, { function: { Arguments: "{}" } })), end],
    ],
    ["a namespace", [delta(tool(0, { function: { name: "a", namespace: "b" } })), end]],
    ["a look-alike of the index", [delta(tool(0, { ...begin(), Index: 1 })), end]],
    ["calls of the choice", [{ choices: [{ index: 0, delta: {}, tool_calls: [begin()] }] }]],
    ["content of another interface", [{ choices: [], content: [{ type: "tool_use" }] }]],
    ["too many calls", [...Array.from({ length: 33 }, (_, index) => delta(tool(index, begin()))), end]],
  ];
  it.each(refused)("refuses %s", (_, events) => {
    expect(parse(events)).toMatchObject({ ok: false, deny: { reason_code: "request_malformed" } });
  });
});

describe("responses events", () => {
  const events = RESPONSES_BY_DELTA.write(WRITTEN);
  // 0 created, 1 in_progress, 2 added, 3 and 4 fragments, 5 text, 6 item, 7 completed
  const item = (over: object): object => ({
    item: { id: "fc-0", type: "function_call", call_id: "call-0", name: "a", arguments: '{"x":1}', ...over },
  });
  const added = (over: object): object => item({ arguments: "", ...over });
  const output = (over: object): object => ({
    response: { output: [(item(over) as { item: object }).item] },
  });

  it("a call in fragments, and what the provider ran itself between", () => {
    const search = { id: "ws", type: "web_search_call" };
    const beside = [
      { type: "response.output_item.added", output_index: 1, item: search },
      { type: "response.web_search_call.searching", output_index: 1 },
      { type: "keepalive" },
      { type: "response.output_item.done", output_index: 1, item: search },
    ];
    expect(callsIn(parse(edited(events, 6, {}, ...beside)))).toEqual(JUDGED);
  });

  it("a call in a namespace is judged below it", () => {
    const crm = { namespace: "crm" };
    const inCrm = edited(edited(edited(events, 2, added(crm)), 6, item(crm)), 7, output(crm));
    expect(callsIn(parse(inCrm))).toEqual([{ tool: "crm.a", args: { x: 1 } }]);
    expect(callsIn(parse(edited(inCrm, 5, crm)))).toEqual([{ tool: "crm.a", args: { x: 1 } }]);
  });

  it("a request to approve a call of the provider is judged as that call, and cannot be rewritten", () => {
    const request = {
      id: "ap",
      type: "mcp_approval_request",
      server_label: "db",
      name: "drop",
      arguments: "{}",
    };
    const parsed = parse([
      { type: "response.output_item.added", output_index: 0, item: request },
      { type: "response.output_item.done", output_index: 0, item: request },
      { type: "response.completed", response: { output: [request] } },
    ]);
    expect(callsIn(parsed)).toEqual([{ tool: "db.drop", args: {} }]);
    expect(parsed.ok && parsed.value.render([{}])).toMatchObject({
      deny: { reason_code: "shaping_unsupported" },
    });
  });

  it("a call of a kind that has no name is judged whole, and cannot be rewritten", () => {
    const call = { id: "cu", type: "computer_call", action: { type: "click" } };
    const parsed = parse([
      {
        type: "response.output_item.added",
        output_index: 0,
        item: { ...call, status: "in_progress", action: null },
      },
      { type: "response.output_item.done", output_index: 0, item: { ...call, status: "completed" } },
      { type: "response.completed", response: { output: [{ ...call, status: "completed" }] } },
    ]);
    expect(callsIn(parsed)).toEqual([{ tool: "computer_call", args: { ...call, status: "completed" } }]);
    expect(parsed.ok && parsed.value.render([{}])).toMatchObject({
      deny: { reason_code: "shaping_unsupported" },
    });
  });

  it.each([
    [
      "text",
      [
        { type: "response.created", response: {} },
        { type: "response.output_text.delta", delta: "x" },
      ],
    ],
    ["an error", [{ type: "error", message: "no" }]],
    [
      "a failure",
      [
        { type: "response.created", response: {} },
        { type: "error" },
        { type: "response.failed", response: { output: [] } },
      ],
    ],
  ])("%s asks nothing", (_, answer) => {
    expect(callsIn(parse(answer))).toEqual([]);
  });

  const strangeMessage = {
    type: "response.output_item.added",
    output_index: 0,
    item: { type: "message", content: [{ type: "tool_use", name: "a" }] },
  };
  const refused: readonly (readonly [name: string, events: Events])[] = [
    ["no end", events.slice(0, -1)],
    ["another end", edited(events, -1, { type: "response.incomplete" })],
    ["an incomplete answer", edited(events, -1, { type: "response.incomplete", response: { output: [] } })],
    ["a failure behind a call", edited(events, -1, { type: "response.failed", response: { output: [] } })],
    ["an error behind a call", edited(events, -1, {}, { type: "error" })],
    ["an error before the end", edited(events, 6, {}, { type: "error" }).slice(0, -1)],
    ["an event behind the end", [...events, { type: "keepalive" }]],
    ["no item", edited(events, 6, null)],
    ["no repeated text", edited(events, 5, null)],
    ["no fragments", edited(edited(events, 3, null), 3, null)],
    [
      "a fragment more",
      edited(events, 4, {}, { type: "response.function_call_arguments.delta", output_index: 0, delta: " " }),
    ],
    [
      "a fragment behind the text",
      edited(events, 5, {}, { type: "response.function_call_arguments.delta", output_index: 0, delta: "" }),
    ],
    [
      "a fragment behind the item",
      edited(events, 6, {}, { type: "response.function_call_arguments.delta", output_index: 0, delta: "" }),
    ],
    ["a fragment of an unknown item", edited(events, 3, { output_index: 1 })],
    ["a fragment of another id", edited(events, 3, { item_id: "fc-9" })],
    ["a fragment that is not a text", edited(events, 3, { delta: 7 })],
    ["a fragment of another kind", edited(events, 3, { type: "response.custom_tool_call_input.delta" })],
    ["arguments at the beginning", edited(events, 2, added({ arguments: '{"x":1}' }))],
    ["a gap", edited(events, 2, { output_index: 1 })],
    ["an item twice", edited(events, 2, {}, events[2] ?? {})],
    ["an id twice", edited(events, 2, {}, { ...events[2], output_index: 1 })],
    ["an item without a type", edited(events, 2, { item: {} })],
    ["an item that changes its type", edited(events, 6, item({ type: "message" }))],
    ["an item that changes its name", edited(events, 6, item({ name: "b" }))],
    ["an item that changes its id", edited(events, 6, item({ call_id: "b" }))],
    ["another text", edited(events, 5, { arguments: '{"x":2}' })],
    ["a text of another name", edited(events, 5, { name: "b" })],
    [
      "a namespace of which the beginning knows nothing",
      edited(edited(events, 6, item({ namespace: "crm" })), 7, output({ namespace: "crm" })),
    ],
    ["a namespace of which only the beginning knows", edited(events, 2, added({ namespace: "crm" }))],
    ["a namespace of which only the text knows", edited(events, 5, { namespace: "crm" })],
    ["a namespace of which only the end knows", edited(events, 7, output({ namespace: "crm" }))],
    ["a name of which the beginning knows nothing", edited(events, 2, added({ name: "" }))],
    ["other arguments in the item", edited(events, 6, item({ arguments: '{"x":2}' }))],
    ["other arguments in the end", edited(events, 7, output({ arguments: '{"x":2}' }))],
    ["another name in the end", edited(events, 7, output({ name: "b" }))],
    ["a call less in the end", edited(events, 7, { response: { output: [] } })],
    ["a call of which only the end knows", [events[0] ?? {}, events[7] ?? {}]],
    ["a call of which only the beginning knows", edited(events, 0, output({}))],
    [
      "an item of unknown type",
      [{ type: "response.output_item.added", output_index: 0, item: { type: "tool_use" } }],
    ],
    [
      "a look-alike of an item's type",
      [{ ...strangeMessage, item: { type: "message", Type: "function_call" } }],
    ],
    ["a look-alike of an item", edited(events, 2, { Item: { type: "function_call" } })],
    [
      "a look-alike of the output",
      edited(events, 7, { response: { ...(events[7] as { response: object }).response, Output: [] } }),
    ],
    ["a call in a message", [strangeMessage]],
    [
      "a call in a message of the end",
      [{ type: "response.completed", response: { output: [strangeMessage.item] } }],
    ],
    ["a look-alike of a fragment", edited(events, 3, { Delta: "{}" })],
    ["an unknown event", edited(events, 2, null, { type: "response.shell_call_command.delta", delta: "rm" })],
    ["an event without a type", [...events, {}]],
    ["a chunk of another interface", edited(events, 1, { choices: [] })],
  ];
  it.each(refused)("refuses %s", (_, answer) => {
    expect(parse(answer)).toMatchObject({ ok: false, deny: { reason_code: "request_malformed" } });
  });
});

describe("messages events", () => {
  const events = MESSAGES.write(WRITTEN);
  // 0 message_start, 1 ping, 2 block start, 3 and 4 fragments, 5 block stop, 6 message_delta, 7 message_stop
  const block = (over: object): object => ({
    content_block: { type: "tool_use", id: "t0", name: "a", input: {}, ...over },
  });
  const json = (text: string) => ({
    type: "content_block_delta",
    index: 0,
    delta: { type: "input_json_delta", partial_json: text },
  });

  it.each<readonly [string, Events, object]>([
    ["a call in fragments", events, JUDGED],
    ["a call without input", edited(edited(events, 3, null), 3, null), [{ tool: "a", args: {} }]],
    [
      "what the provider runs itself",
      edited(edited(edited(events, 2, block({ type: "server_tool_use" })), 6, {}), 7, {}),
      [],
    ],
    ["an error", [{ type: "error", error: { type: "overloaded_error" } }], []],
    ["text that was cut off", events.slice(0, 2), []],
  ])("%s", (_, answer, calls) => {
    expect(callsIn(parse(answer, "anthropic"))).toEqual(calls);
  });

  it("a call without fragments cannot be rewritten", () => {
    const parsed = parse(edited(edited(events, 3, null), 3, null), "anthropic");
    expect(parsed.ok && parsed.value.render([{ y: 1 }])).toMatchObject({
      deny: { reason_code: "shaping_unsupported" },
    });
  });

  const refused: readonly (readonly [name: string, events: Events])[] = [
    ["no end", events.slice(0, -1)],
    ["no stop of a block", edited(events, 5, null)],
    ["no reason to stop", edited(events, 6, null)],
    ["a call cut off by its length", edited(events, 6, { delta: { stop_reason: "max_tokens" } })],
    ["a call that was refused", edited(events, 6, { delta: { stop_reason: "refusal" } })],
    ["an error behind a call", edited(events, 7, { type: "error" })],
    ["an event behind the end", [...events, { type: "ping" }]],
    ["an event behind an error", [{ type: "error" }, ...events]],
    ["no beginning", events.slice(2)],
    ["two beginnings", [events[0] ?? {}, ...events]],
    [
      "content at the beginning",
      edited(events, 0, { message: { content: [{ type: "tool_use", name: "a", input: {} }] } }),
    ],
    ["a gap", edited(events, 2, { index: 1 })],
    [
      "a block inside another",
      edited(events, 2, {}, { type: "content_block_start", index: 1, ...block({}) }),
    ],
    [
      "a block behind the reason to stop",
      edited(
        events,
        6,
        {},
        { type: "content_block_start", index: 1, ...block({}) },
        { type: "content_block_stop", index: 1 },
      ),
    ],
    ["a fragment of an unknown block", edited(events, 3, { index: 1 })],
    ["a fragment from behind", edited(events, 3, { index: -1 })],
    ["a fragment behind the stop", edited(events, 5, {}, json(" "))],
    ["a fragment of another kind", edited(events, 3, { delta: { type: "text_delta", text: '{"x"' } })],
    ["input at the beginning", edited(events, 2, block({ input: { x: 1 } }))],
    ["input that is not JSON", edited(events, 4, null)],
    ["input that is not an object", edited(edited(events, 3, null), 3, json("7"))],
    ["a name that is not a text", edited(events, 2, block({ name: 7 }))],
    ["a block of unknown type", edited(events, 2, block({ type: "computer_use" })).slice(0, 3)],
    ["a look-alike of a block's type", edited(events, 2, block({ Type: "text" }))],
    ["a look-alike of a name", edited(events, 2, block({ Name: "b" }))],
    ["a look-alike of a block", edited(events, 2, { Content_Block: { type: "text" } })],
    [
      "a look-alike of a fragment",
      edited(events, 3, {}, { ...json(""), delta: { ...json("").delta, partialJson: "{}" } }),
    ],
    ["calls of another interface", edited(events, 1, { tool_calls: [{}] })],
    ["an unknown event", edited(events, 1, { type: "tool_call" })],
    ["an event without a type", edited(events, 1, { type: undefined })],
  ];
  it.each(refused)("refuses %s", (_, answer) => {
    expect(parse(answer, "anthropic")).toMatchObject({
      ok: false,
      deny: { reason_code: "request_malformed" },
    });
  });
});

describe("any answer", () => {
  const args: JsonObject = { x: 2 };

  it("goes on written anew, in its own order, [DONE] included", () => {
    const parsed = parse(
      `: hi\nevent: chunk\ndata: {"b":1, "choices":[],\ndata: "a":"\u2028"}\r\n\r\ndata: [DONE]\n\n`,
    );
    const rendered = parsed.ok && parsed.value.render([]);
    const body = rendered !== false && rendered.ok ? Buffer.from(rendered.value).toString() : "";
    expect(body).toBe('data: {"b":1,"choices":[],"a":"\\u2028"}\n\ndata: [DONE]\n\n');
  });

  it("a rewrite stands whole in the first fragment", () => {
    const parsed = parse(MESSAGES.write(WRITTEN), "anthropic");
    const rendered = parsed.ok && parsed.value.render([args]);
    const body = rendered !== false && rendered.ok ? Buffer.from(rendered.value).toString() : "";
    expect(body.match(/"partial_json":".*?"[,}]/g)).toEqual([
      '"partial_json":"{\\"x\\":2}"}',
      '"partial_json":""}',
    ]);
  });

  it.each([
    ["nothing", ""],
    ["[DONE] alone", "data: [DONE]\n\n"],
    ["an event behind [DONE]", 'data: {"choices":[]}\n\ndata: [DONE]\n\ndata: {"choices":[]}\n\n'],
    ["data that is not JSON", "data: x\n\n"],
    ["data that is not an object", "data: [1]\n\n"],
    ["a key twice", 'data: {"choices":[],"choices":[]}\n\n'],
    ["an event called otherwise than its type", 'event: ping\ndata: {"type":"error"}\n\n'],
  ])("refuses %s", (_, text) => {
    expect(parse(text)).toMatchObject({ ok: false, deny: { reason_code: "request_malformed" } });
  });
});
