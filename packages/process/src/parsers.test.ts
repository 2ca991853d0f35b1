import { describe, expect, it } from "vitest";
import {
  hideUser,
  parseBoolean,
  parseHttpUrl,
  parseInteger,
  parseListen,
  parseOneOf,
  parseOrigins,
  parseText,
} from "./parsers.ts";

describe("hideUser", () => {
  it.each([
    ["http://u:p@h/x", "http://***@h/x"],
    ["http://u:p@1/2?3#4@h", "http://***@h"],
    ["http://a,http://u:p@h", "http://***@h"],
    ["http:u:p@h", "***@h"],
    ["u:p@h", "***@h"],
    ["http://h/x", "http://h/x"],
    ["ana@corp", "ana@corp"],
    ["", ""],
  ])("of %j leaves %j", (text, shown) => {
    expect(hideUser(text)).toBe(shown);
  });
});

describe("parseListen", () => {
  it.each([
    ["127.0.0.1:8080", "127.0.0.1", 8080],
    ["localhost:0", "localhost", 0],
    ["gateway-1.example:65535", "gateway-1.example", 65_535],
    ["[::1]:0", "::1", 0],
    ["[::ffff:127.0.0.1]:1", "::ffff:127.0.0.1", 1],
  ])("reads %s", (text, host, port) => {
    expect(parseListen(text)).toEqual({ host, port });
  });

  it.each([
    "",
    "8080",
    ":8080",
    "localhost",
    "localhost:",
    "localhost:65536",
    "localhost:-1",
    "localhost:+1",
    "localhost:080",
    "localhost:8080 ",
    " localhost:8080",
    "localhost:8080\n",
    "http://localhost:8080",
    "user@localhost:8080",
    "::1:8080",
    "[::1]",
    "[:::]:1",
    "[12345::]:1",
    "[]:1",
    "-x:1",
    "héte:1",
  ])("refuses %j", (text) => {
    expect(() => parseListen(text)).toThrow("host:port");
  });
});

describe("parseHttpUrl", () => {
  it.each([
    ["http://localhost:8080", "http://localhost:8080/"],
    ["https://gateway.example/svc/", "https://gateway.example/svc/"],
    ["http://[::1]:9", "http://[::1]:9/"],
  ])("reads %s", (text, href) => {
    expect(parseHttpUrl(text).href).toBe(href);
  });

  it.each([
    "localhost:8080",
    "ftp://gateway.example",
    "HTTP//gateway.example",
    "http:gateway.example",
    "http:/gateway.example",
    "http:///gateway.example",
    "http:\\\\gateway.example",
    "http://gateway.example\\path",
    "http://user@gateway.example",
    "http://:password@gateway.example",
    "http://gateway.example?",
    "http://gateway.example/?a=b",
    "http://gateway.example#",
    "http://gateway.example/ ",
    " http://gateway.example",
    "http://gateway\n.example",
    "http://gateway.example:65536",
    "http://",
    "http://[::1",
  ])("refuses %j", (text) => {
    expect(() => parseHttpUrl(text)).toThrow("http://");
  });
});

describe("parseOrigins", () => {
  it.each([
    ["https://ops.example.com", ["https://ops.example.com"]],
    ["http://localhost:5173, https://a.example", ["http://localhost:5173", "https://a.example"]],
    ["http://[::1]:9", ["http://[::1]:9"]],
  ])("reads %s", (text, origins) => {
    expect(parseOrigins(text)).toEqual(origins);
  });

  // proves API-29
  it.each([
    "*",
    "null",
    "https://*",
    "https://*.example.com",
    "ops.example.com",
    "https://ops.example.com/",
    "https://ops.example.com/path",
    "https://OPS.example.com",
    "https://ops.example.com:443",
    "http://ops.example.com:80",
    "https://user@ops.example.com",
    "https://ops.example.com?x",
    "https://ops.example.com,",
    "https://ops.example.com,,https://a.example",
    "https://ops.example.com https://a.example",
    "file:///etc/passwd",
    "https://b\u00fccher.example",
  ])("refuses %s", (text) => {
    expect(() => parseOrigins(text)).toThrow("exact origins");
  });
});

describe("parseInteger", () => {
  const parse = parseInteger(50, 60_000);

  it.each([
    ["50", 50],
    ["5000", 5_000],
    ["60000", 60_000],
  ])("reads %s", (text, value) => {
    expect(parse(text)).toBe(value);
  });

  it.each(["", "49", "60001", "-50", "+50", "050", "5e3", "0x50", "50.0", "50 ", " 50", "5s", "٥٥", "NaN"])(
    "refuses %j",
    (text) => {
      expect(() => parse(text)).toThrow("a whole number from 50 to 60000");
    },
  );

  it("refuses what is not exact even where the bounds would let it in", () => {
    expect(parseInteger(0, Number.MAX_VALUE)("0")).toBe(0);
    expect(() => parseInteger(0, Number.MAX_VALUE)("9007199254740993")).toThrow("a whole number");
  });
});

describe("the closed lists", () => {
  it("parseOneOf takes its choices letter for letter and names them in the refusal", () => {
    const parse = parseOneOf(["all", "gateway"]);
    expect(parse("gateway")).toBe("gateway");
    for (const text of ["", "All", "all ", "control", "all,gateway"]) {
      expect(() => parse(text)).toThrow("one of all, gateway");
    }
  });

  it("parseBoolean takes true and false, and guesses nothing", () => {
    expect([parseBoolean("true"), parseBoolean("false")]).toEqual([true, false]);
    for (const text of ["", "TRUE", "1", "0", "yes", "no", "on", " true"]) {
      expect(() => parseBoolean(text)).toThrow("one of true, false");
    }
  });

  it("parseText takes the text as it is", () => {
    expect(parseText(" a b ")).toBe(" a b ");
  });
});
