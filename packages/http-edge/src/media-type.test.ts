import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { bodyMediaType } from "./media-type.ts";
import { singleHeader } from "./single-header.ts";

const requestOf = (...rawHeaders: string[]): IncomingMessage =>
  ({ rawHeaders }) as unknown as IncomingMessage;

const read = (...rawHeaders: string[]): string => {
  const media = bodyMediaType(requestOf(...rawHeaders), ["application/json"]);
  return media.kind === "type" ? media.type : `${String(media.problem.status)} ${media.problem.code}`;
};

const REFUSED = "415 unsupported_media_type";

describe("media type of a body", () => {
  it.each([
    "application/json",
    "Application/JSON",
    "application/json;charset=utf-8",
    "application/json; charset=utf-8",
    "application/json ; charset=UTF-8",
    'application/json; charset="utf-8"',
    "application/json; Charset=utf-8",
  ])("E7: %j is JSON", (value) => {
    expect(read("Content-Type", value)).toBe("application/json");
  });

  it.each(
    [
      [
        "",
        " ",
        "json",
        "application",
        "application/",
        "/json",
        "application/json\t;x",
        "application/json;",
        "application/json; ",
      ],
      [
        "application/json;x",
        "application/json; charset=utf-16",
        "application/json; charset=utf-7",
        "application/json; charset=latin1",
      ],
      [
        "application/json; charset=",
        'application/json; charset=""',
        "application/json; charset='utf-8'",
        'application/json; charset="utf-8',
      ],
      [
        "application/json; charset=utf-8; charset=utf-16",
        "application/json; charset=utf-8; q=1",
        "application/json; boundary=x",
        "application/json; charset = utf-8",
      ],
      [
        "application/json, text/plain",
        "text/plain, application/json",
        "application/json,application/json",
        "application/json application/json",
      ],
      [
        "text/plain",
        "text/json",
        "application/x-json",
        "application/json5",
        "application/problem+json",
        "application/*",
        "*/*",
      ],
      [
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=application/json",
        "application/json\u00a0",
        "application/json\u0000",
        "\u00a0application/json",
        " application/json",
      ],
    ].flat(),
  )("E7: %j is refused", (value) => {
    expect(read("Content-Type", value)).toBe(REFUSED);
  });

  it.each([
    ["no header", []],
    ["two headers", ["Content-Type", "application/json", "Content-Type", "application/json"]],
    ["two that differ", ["Content-Type", "application/json", "content-type", "text/plain"]],
  ])("E7: %s is refused", (_, headers) => {
    expect(read(...headers)).toBe(REFUSED);
  });

  it.each([
    "gzip",
    "br",
    "zstd",
    "deflate",
    "compress",
    "x-gzip",
    "GZIP",
    "gzip, br",
    "identity, gzip",
    "identity, identity",
    "identity;q=1",
    "",
    "*",
    "none",
    "aws-chunked",
  ])("E6: Content-Encoding %j is refused", (coding) => {
    expect(read("Content-Type", "application/json", "Content-Encoding", coding)).toBe(REFUSED);
  });

  it("E6: stacked Content-Encoding headers are refused, identity is none", () => {
    const json = ["Content-Type", "application/json"];
    expect(read(...json, "content-encoding", "identity", "content-encoding", "gzip")).toBe(REFUSED);
    expect(read(...json, "CONTENT-ENCODING", "Identity")).toBe("application/json");
  });

  it("takes the accepted type that matches", () => {
    const request = requestOf("content-type", "application/yaml");
    const accepted = ["application/json", "application/yaml"];
    expect(bodyMediaType(request, accepted)).toEqual({ kind: "type", type: "application/yaml" });
  });

  it("says what it expected and what came", () => {
    const media = bodyMediaType(requestOf("content-type", `text/${"x".repeat(500)}`), ["application/json"]);
    const detail = media.kind === "problem" ? media.problem.detail : "";
    expect(detail).toMatch(/^expected Content-Type application\/json in UTF-8, found "text\/x{95}"$/);
  });
});

describe("a single header", () => {
  it.each([
    ["absent", [], { kind: "absent" }],
    ["empty", ["X-A", ""], { kind: "value", value: "" }],
    ["in any case", ["X-a", "1"], { kind: "value", value: "1" }],
    ["a list in one line", ["x-a", "1, 2"], { kind: "value", value: "1, 2" }],
    ["repeated", ["x-a", "1", "x-b", "2", "X-A", "1"], { kind: "repeated" }],
    ["another of the same length", ["x-b", "1"], { kind: "absent" }],
    ["a value like the name", ["x-b", "x-a"], { kind: "absent" }],
  ])("%s", (_, rawHeaders, wanted) => {
    expect(singleHeader({ rawHeaders: [...rawHeaders] }, "x-a")).toEqual(wanted);
  });

  it("is not found on a prototype", () => {
    expect(singleHeader({ rawHeaders: [] }, "constructor")).toEqual({ kind: "absent" });
    expect(singleHeader({ rawHeaders: ["__proto__", "x"] }, "__proto__")).toEqual({
      kind: "value",
      value: "x",
    });
  });
});
