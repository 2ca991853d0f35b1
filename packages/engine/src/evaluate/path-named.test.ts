import { runs } from "@svc/text/testing/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { threadMs } from "../testing/thread-time.suite.ts";
import { parsePathName, pathNamed } from "./path-named.ts";

const NAMES = [".env", ".env.*", "id_rsa", ".git/hooks"].map((text) => {
  const name = parsePathName(text);
  if (name === null) throw new Error(text);
  return name;
});

describe("pathNamed", () => {
  // proves POL-73
  it.each([
    [".env", "holds"],
    ["/srv/app/.env", "holds"],
    [".ENV", "holds"],
    ["a/.Env.local", "holds"],
    [".env/x", "holds"],
    ["./.env", "holds"],
    ["a//.env", "holds"],
    ["a/../.env", "holds"],
    ["~/.ssh/id_rsa", "holds"],
    ["file:///home/u/.ssh/id_rsa", "holds"],
    ["$HOME/.env", "holds"],
    ["repo/.git/hooks/pre-commit", "holds"],
    [".git/./hooks", "holds"],
    [".git//hooks", "holds"],
    ["C:/x/.env", "holds"],
    ["", "fails"],
    [".environment", "fails"],
    ["env", "fails"],
    ["a.env", "fails"],
    [".git/config", "fails"],
    ["hooks/.git", "fails"],
    ["id_rsa.pub", "fails"],
    ["see the .env file", "fails"],
    ["what is this?", "fails"],
    ["**bold** text: 50% off; ok?", "fails"],
    ['{"a": [1, 2], "b": "$5"}', "fails"],
    ["C:\\Users\\a", "fails"],
    ["a/b~1.txt", "fails"],
    ["src/{a,b}/x.ts", "fails"],
    ["é/ü", "fails"],
    ['open(".env")', "fails"],
    ['{"path": "app/.environment"}', "fails"],
    ['"app/.env"', "unsure"],
    ["'.env'", "unsure"],
    ['{"path": "app/.env"}', "unsure"],
    ['["a", ".ENV"]', "unsure"],
    ['{"arguments": "{\\"path\\": \\".env\\"}"}', "unsure"],
    ["--file=.env", "unsure"],
    ["app/.e''nv", "unsure"],
    ["cat app/.e''nv", "unsure"],
    ['app/."env"', "unsure"],
    ["app/.e\\nv", "unsure"],
    ["app/$'.\\x65nv'", "unsure"],
    ["app/.e$@nv", "unsure"],
    ["app/$1/x", "unsure"],
    ["costs/x $5", "fails"],
    ["app/.e[[:alpha:]]v", "unsure"],
    ["app/.e[]n]v", "unsure"],
    ["app/.e[!]]v", "unsure"],
    ["app/.e[\\n]v", "unsure"],
    ["app/.e{n..p}v", "unsure"],
    ["app/.e{{n,m},x}v", "unsure"],
    ['app/$".env"', "unsure"],
    ["app/.(e)(n)v", "unsure"],
    ["app/@(.env)", "unsure"],
    ["app/.+(e)nv", "unsure"],
    ["app/.env(.)", "unsure"],
    ["app/.e$=Xnv", "unsure"],
    ["app/.env$\u03bb", "unsure"],
    ["app/.env<->", "unsure"],
    ["app/.e\\\nnv", "unsure"],
    ["app/.e[[:alpha:]]", "fails"],
    ["app/.e{a,b}", "fails"],
    ["(a+b)/c", "fails"],
    ["notes (1)/x", "fails"],
    ["file=.env", "unsure"],
    ["@.env", "unsure"],
    [".env,.x", "unsure"],
    ["https://h/a?f=.env", "unsure"],
    ["a@b.example", "fails"],
    ["x,y", "fails"],
    [".env/../x", "unsure"],
    ["a/.git/x/../hooks/y/..", "unsure"],
    ["%2eenv", "unsure"],
    ["%252eenv", "unsure"],
    ["a%2f.env", "unsure"],
    ["%u002eenv", "unsure"],
    ["a\\.env", "unsure"],
    [".git\\hooks\\x", "unsure"],
    [".env.", "holds"],
    ["**bold**", "unsure"],
    [".env ", "unsure"],
    [" .env", "unsure"],
    ["id_rsa. .", "unsure"],
    ["id_rsa::$DATA", "unsure"],
    ["id_rsa:stream", "unsure"],
    ["C:id_rsa", "unsure"],
    ["https://h/id_rsa?x=1", "unsure"],
    ["https://h/id_rsa#f", "unsure"],
    ["id_rsa;v=1", "unsure"],
    ["id_rsa\0.txt", "unsure"],
    ["ID_RSA~1", "unsure"],
    ["GIT~1/hooks", "unsure"],
    ["ENV~1", "unsure"],
    ["id_r*", "unsure"],
    ["id_?sa", "unsure"],
    ["id_[rx]sa", "unsure"],
    ["{id_rsa,x}", "unsure"],
    ["id_{rsa,dsa}", "unsure"],
    ["*", "unsure"],
    [".e*", "unsure"],
    ["$X", "unsure"],
    ["id_$(echo rsa)", "unsure"],
    ["id_`echo rsa`", "unsure"],
    ["ıd_rsa", "unsure"],
    ["İd_rsa", "unsure"],
    ["id_rſa", "unsure"],
    ["ｉｄ_ｒｓａ", "unsure"],
    [".g\u200cit/hooks", "unsure"],
    [".gi\u0301t/hooks", "unsure"],
    ["．env", "unsure"],
    ["a／id_rsa", "unsure"],
    ["a∕id_rsa", "unsure"],
  ] as const)("%j: %s", (text, truth) => {
    expect(pathNamed(text, NAMES)).toBe(truth);
  });

  // proves POL-73
  it("no spelling and no wrapping of a name makes it surely absent", () => {
    const spell = fc.constantFrom<(name: string) => string>(
      (name) => name,
      (name) => name.toUpperCase(),
      (name) => name.replace("_", "%5f").replace(".", "%2E"),
      (name) => `${name}.`,
      (name) => `${name} `,
      (name) => `${name}::$DATA`,
      (name) => name.replace("i", "\u0131").replace("e", "\uff45"),
      (name) => name.slice(0, -1).concat("?"),
      (name) => name.slice(0, 2).concat("*"),
      (name) => name.normalize("NFD").split("").join("\u200d"),
    );
    const name = fc.constantFrom(".env", "id_rsa", ".env.local");
    const around = fc.constantFrom(
      "",
      "/",
      "./",
      "a/",
      "a/b/../",
      "\\",
      "C:\\x\\",
      "~/",
      "file:///",
      "%2f",
      "../",
    );
    fc.assert(
      fc.property(
        around,
        name,
        spell,
        fc.constantFrom("", "/", "/x", "/.", "\\x"),
        (left, one, how, right) => {
          expect(pathNamed(`${left}${how(one)}${right}`, NAMES)).not.toBe("fails");
        },
      ),
      { numRuns: runs(5_000, 50_000) },
    );
  });

  it("takes linear time on hostile texts of 64 KiB", () => {
    for (const piece of [
      "*",
      "?",
      "{",
      "{a,b}",
      "$",
      "%",
      "%25",
      "../",
      "a/",
      ".",
      " ",
      "~1/",
      "\\",
      "[a]",
      ":",
    ]) {
      const ms = threadMs(() => pathNamed(piece.repeat(65_536 / piece.length), NAMES));
      expect(ms, `milliseconds for ${piece}`).toBeLessThan(500);
    }
  });

  it.each(["", ".", "..", "a//b", "/a", "a/", "*", "a.", " a", "é", "a\\b", "a/../b"])(
    "%j is not a name",
    (text) => {
      expect(parsePathName(text)).toBe(null);
    },
  );
});
