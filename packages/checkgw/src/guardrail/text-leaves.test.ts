import { isJsonObject, type JsonObject, type JsonValue } from "@svc/text/json-value";
import { runs } from "@svc/text/testing/runs";
import { type JsonPath, replaceAt } from "@svc/tool-calls/replace-at";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { judgeJson, masking, rewriting } from "./testing/judge-json.ts";
import { portkeyAfter, portkeyBefore } from "./testing/messages.ts";

const WORD = "forbidden";
const said = { role: "user", content: "hi" };
const result = { type: "tool_result", tool_use_id: "1" };
const document = { type: "document", source: { type: "text", media_type: "text/plain", data: WORD } };
const found = { type: "search_result", source: "x", title: "t", content: [{ type: "text", text: WORD }] };
const call = { id: "1", type: "function", function: { name: "a.b", arguments: `{"x":"${WORD}"}` } };

function user(...content: readonly object[]): object {
  return { messages: [{ role: "user", content }] };
}

function choiceWith(message: object): object {
  return { choices: [{ message: { role: "assistant", content: "x", ...message } }] };
}

type Case = readonly [name: string, type: string, json: object];

const PROMPTS: readonly Case[] = [
  ["a suffix", "complete", { prompt: "x", suffix: WORD }],
  ["a prediction", "chatComplete", { messages: [said], prediction: { type: "content", content: WORD } }],
  ["a prediction in parts", "chatComplete", { messages: [said], prediction: { content: [{ text: WORD }] } }],
  ["a refusal as a part", "chatComplete", user({ type: "refusal", refusal: WORD })],
  ["the name of a person", "chatComplete", { messages: [{ ...said, name: WORD }] }],
  ["arguments of an earlier call", "chatComplete", { messages: [{ role: "assistant", tool_calls: [call] }] }],
  ["blocks beside a content", "chatComplete", { messages: [{ ...said, content_blocks: [{ text: WORD }] }] }],
  [
    "a description in the form of the answer",
    "chatComplete",
    {
      messages: [said],
      response_format: { json_schema: { schema: { properties: { a: { description: WORD } } } } },
    },
  ],
  ["a search result", "messages", user(found)],
  ["a search result of a tool", "messages", user({ ...result, content: [found] })],
  ["a document in plain text", "messages", user(document)],
  ["a document of a tool", "messages", user({ ...result, content: [document] })],
  ["a result of an MCP tool", "messages", user({ type: "mcp_tool_result", content: [{ text: WORD }] })],
  [
    "an input of an earlier call, by whatever name",
    "messages",
    user({ type: "tool_use", id: "1", name: "a", input: { id: { url: WORD } } }),
  ],
];

const ANSWERS: readonly Case[] = [
  ["a transcript's neighbour", "chatComplete", choiceWith({ audio: { id: "a", data: "AA", note: WORD } })],
  ["a reasoning", "chatComplete", choiceWith({ reasoning: WORD })],
  ["details of a reasoning", "chatComplete", choiceWith({ reasoning_details: [{ type: "x", text: WORD }] })],
  ["a refusal as a part", "chatComplete", choiceWith({ content: [{ type: "refusal", refusal: WORD }] })],
  ["a note", "chatComplete", choiceWith({ annotations: [{ url_citation: { url: "x", title: WORD } }] })],
  ["blocks beside a content", "chatComplete", choiceWith({ content_blocks: [{ type: "text", text: WORD }] })],
  ["a text beside the choices", "chatComplete", { choices: [], content: WORD }],
  [
    "a citation",
    "messages",
    { content: [{ type: "text", text: "x", citations: [{ type: "c", cited_text: WORD }] }] },
  ],
  [
    "what a program printed",
    "messages",
    { content: [{ type: "code_execution_tool_result", content: { type: "r", stdout: WORD } }] },
  ],
  [
    "a page that was found",
    "messages",
    { content: [{ type: "web_search_tool_result", content: [{ title: WORD, url: "x" }] }] },
  ],
  [
    "a result of an MCP tool",
    "messages",
    { content: [{ type: "mcp_tool_result", content: [{ type: "text", text: WORD }] }] },
  ],
];

describe("Portkey: every text is judged, and rewritten in its place", () => {
  const cases = [
    ...PROMPTS.map(([name, type, json]) => ({ name, type, json, side: "request" })),
    ...ANSWERS.map(([name, type, json]) => ({ name, type, json, side: "response" })),
  ];
  it.each(cases)("$side: $name", async ({ type, json, side }) => {
    const body = side === "request" ? portkeyBefore(json, type) : portkeyAfter(json, type);
    const decide = rewriting(`llm.${side}`, masking(WORD));
    const { asked, answer } = await judgeJson("portkey", body, { decide });
    expect(asked[0]?.args["text"]).toContain(WORD);
    expect(answer["transformedData"]).toEqual({
      [side]: { json: JSON.parse(JSON.stringify(json).replaceAll(WORD, "[masked]")) as unknown },
    });
  });

  it("what holds no words is not shown to policies", async () => {
    const picture = { type: "image_url", image_url: { url: WORD, detail: WORD } };
    const sound = { type: "input_audio", input_audio: { data: WORD, format: WORD } };
    const kept = {
      type: "text",
      text: "x",
      cache_control: { type: "ephemeral", ttl: WORD },
      signature: WORD,
    };
    const { asked } = await judgeJson("portkey", portkeyBefore(user(picture, sound, kept)));
    expect(asked[0]?.args).toMatchObject({ text: "x" });
    expect(JSON.stringify(asked[0]?.args)).not.toContain(WORD);
  });
});

describe("Portkey: what spells a rewritten text once more goes with it", () => {
  const tokens = { logprobs: { content: [{ token: WORD, bytes: [102] }] }, token_ids: [1] };
  const other = { index: 1, message: { content: "fine" }, logprobs: { content: [{ token: "fine" }] } };

  it("tokens of the choice that was rewritten, and of no other", async () => {
    const json = { choices: [{ index: 0, message: { content: WORD }, ...tokens }, other] };
    const decide = rewriting("llm.response", masking(WORD));
    const { answer } = await judgeJson("portkey", portkeyAfter(json), { decide });
    const first = { index: 0, message: { content: "[masked]" }, logprobs: null, token_ids: null };
    expect(answer["transformedData"]).toEqual({ response: { json: { choices: [first, other] } } });
  });

  it("tokens of a completion", async () => {
    const json = {
      choices: [
        { text: WORD, logprobs: { tokens: [WORD] } },
        { text: "fine", logprobs: null },
      ],
    };
    const decide = rewriting("llm.response", masking(WORD));
    const { answer } = await judgeJson("portkey", portkeyAfter(json, "complete"), { decide });
    const choices = [
      { text: "[masked]", logprobs: null },
      { text: "fine", logprobs: null },
    ];
    expect(answer["transformedData"]).toEqual({ response: { json: { choices } } });
  });

  it("tokens of a call that was rewritten", async () => {
    const choice = { message: { tool_calls: [call] }, logprobs: { content: [{ token: WORD }] } };
    const decide = rewriting("a.b", masking(WORD));
    const { answer } = await judgeJson("portkey", portkeyAfter({ choices: [choice] }), { decide });
    expect(JSON.stringify(answer["transformedData"])).not.toContain(WORD);
  });

  it("a sound cannot be rewritten: its transcript's rewrite is blocked", async () => {
    const json = { choices: [{ message: { audio: { id: "a", data: "AA", transcript: WORD } } }] };
    const decide = rewriting("llm.response", masking(WORD));
    const { answer } = await judgeJson("portkey", portkeyAfter(json), { decide });
    expect(answer).toMatchObject({ verdict: false, data: { reason_code: "shaping_unsupported" } });
  });
});

/** The closed list as the documentation has it. */
const NO_WORDS = [
  ["type", "role", "id", "tool_id", "tool_call_id", "tool_use_id", "call_id", "file_id", "container_id"],
  ["url", "image_url", "video_url", "audio_url", "document_url", "file_url", "data", "file_data"],
  ["media_type", "mime_type", "format", "detail", "ttl"],
  ["signature", "thought_signature", "encrypted_content", "encrypted_index", "encrypted_stdout"],
].flat();

const NAMES = ["x", "title", "context", "citations", "source", "name", "caption", "content", "input"];

const tree = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: "medium" },
    fc.string({ maxLength: 5 }),
    fc.constantFrom<JsonValue>(1, true, null),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...NAMES, ...NO_WORDS), tie("value"), { maxKeys: 5 }),
  ),
})).value;

const members = fc.dictionary(fc.constantFrom(...NAMES, "x1", "x2"), tree, { minKeys: 1, maxKeys: 4 });

/** Paths of all texts that the closed list does not name. */
function wordsIn(value: JsonValue, path: JsonPath = []): readonly JsonPath[] {
  if (typeof value === "string") return isNamed(path) ? [] : [path];
  if (Array.isArray(value)) {
    const items: readonly JsonValue[] = value;
    return items.flatMap((item, index) => wordsIn(item, [...path, index]));
  }
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => wordsIn(member, [...path, name]));
}

function isNamed(path: JsonPath): boolean {
  return !path.includes("input") && NO_WORDS.includes(String(path.at(-1)));
}

const documents: fc.Arbitrary<readonly [JsonObject, (json: JsonObject) => Record<string, unknown>]> =
  members.chain((more) => {
    const { content: inner = "y", name: _name, input: _input, ...rest } = more;
    const part = { ...rest, type: "text", text: "y", inner };
    return fc.constantFrom(
      [{ messages: [{ ...more, role: "user", content: [part] }] }, (json) => portkeyBefore(json)] as const,
      [
        { messages: [{ role: "user", content: [part, part] }] },
        (json) => portkeyBefore(json, "messages"),
      ] as const,
      [{ choices: [{ message: { ...rest, content: [part] } }] }, (json) => portkeyAfter(json)] as const,
      [
        { content: [part, { ...part, type: "mcp_tool_result" }] },
        (json) => portkeyAfter(json, "messages"),
      ] as const,
    );
  });

describe("whatever a message is made of", { timeout: 60_000 }, () => {
  it("a word at any place that the closed list does not name is seen by the policy", async () => {
    await fc.assert(
      fc.asyncProperty(documents, fc.nat(), async ([json, around], at) => {
        const places = wordsIn(json);
        const place = places[at % places.length] ?? [];
        const { asked } = await judgeJson("portkey", around(replaceAt(json, place, WORD) as JsonObject));
        expect(asked[0]?.args["text"]).toContain(WORD);
      }),
      { numRuns: runs(3_000, 30_000) },
    );
  });
});
