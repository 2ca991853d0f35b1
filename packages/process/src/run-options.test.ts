import { describe, expect, it } from "vitest";
import type { EnvironmentTable } from "./environment-table.ts";
import { parseText } from "./parsers.ts";
import type { Program } from "./program.ts";
import { readArguments } from "./run-options.ts";
import { VERSION } from "./version.ts";

const table = {
  SVC_LISTEN: { parse: parseText, fallback: "", defaultText: "127.0.0.1:1", meaning: "where it listens" },
  SVC_API_KEY: {
    parse: parseText,
    fallback: "",
    defaultText: "none",
    meaning: "key that is sent with every question to the gateway that decides about all calls of this agent",
    secret: true,
  },
} satisfies EnvironmentTable;

const program: Program = {
  name: "svc-thing",
  summary: "does a thing",
  examples: ["svc-thing", "SVC_LISTEN=127.0.0.1:2 svc-thing"],
  options: { "--demo": "show more" },
  table,
};

// proves OPS-30
describe("the arguments of a program", () => {
  it.each([[[]], [["--demo"]]])("%j runs it", (args) => {
    expect(readArguments(program, args)).toEqual({ kind: "run", options: new Set(args) });
  });

  it("--version names program and version", () => {
    const answer = readArguments(program, ["--version"]);
    expect(answer).toEqual({ kind: "answer", text: `svc-thing ${VERSION}\n` });
  });

  it.each(["--help", "-h"])("%s says what it is, shows examples first, then every variable", (arg) => {
    const answer = readArguments(program, [arg]);
    const text = answer.kind === "answer" ? answer.text : "";
    const inOrder = ["does a thing", "Examples:", "SVC_LISTEN=127.0.0.1:2 svc-thing", "--demo", "--version"];
    const places = [...inOrder, "SVC_LISTEN (default: 127.0.0.1:1)"].map((part) => text.indexOf(part));
    expect(places).toEqual([...places].sort((left, right) => left - right));
    expect(places).not.toContain(-1);
    expect(text).toContain("SVC_API_KEY_FILE names a file");
    expect(text.split("\n").filter((line) => line.length > 100)).toEqual([]);
  });

  it.each(["--listen", "serve", "", "--Version", "--help=1"])("an unknown one is refused: %j", (arg) => {
    const read = readArguments(program, ["--version", arg]);
    expect(read).toMatchObject({ kind: "usage_error", text: expect.stringContaining(JSON.stringify(arg)) });
    const text = read.kind === "usage_error" ? read.text : "";
    expect(text).toMatch(/^svc-thing: .*--demo, --help, --version; svc-thing --help lists the settings\n$/);
  });
});
