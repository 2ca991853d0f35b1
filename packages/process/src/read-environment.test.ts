import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { EnvironmentTable } from "./environment-table.ts";
import { parseBoolean, parseInteger, parseText } from "./parsers.ts";
import { EnvironmentError, readEnvironment } from "./read-environment.ts";

const SECRET = "canary-secret";

const TABLE = {
  SIZE: { parse: parseInteger(1, 9), fallback: 3, defaultText: "3", meaning: "a size" },
  FLAG: { parse: parseBoolean, fallback: false, defaultText: "false", meaning: "a flag" },
  NAME: { parse: parseText, fallback: "nobody", defaultText: "nobody", meaning: "a name" },
  KEY: { parse: parseKey, fallback: null, defaultText: "none", meaning: "a key", secret: true },
} satisfies EnvironmentTable;

function parseKey(text: string): string | null {
  if (!/^[0-9]+$/.test(text)) throw new Error("digits");
  return text;
}

function faultsOf(env: Record<string, string | undefined>, files: Record<string, string> = {}) {
  try {
    readEnvironment(TABLE, env, readerOf(files));
  } catch (error) {
    if (error instanceof EnvironmentError) return error.faults;
    throw error;
  }
  return [];
}

function readerOf(files: Record<string, string>) {
  return (path: string): string => {
    const text = files[path];
    if (text === undefined) throw new Error("ENOENT: no such file");
    return text;
  };
}

describe("readEnvironment", () => {
  it("takes the defaults where nothing is set, and counts empty as unset", () => {
    const defaults = { SIZE: 3, FLAG: false, NAME: "nobody", KEY: null };
    expect(readEnvironment(TABLE, {})).toEqual(defaults);
    const empty = { SIZE: "", FLAG: "", NAME: "", KEY: "", KEY_FILE: "" };
    expect(readEnvironment(TABLE, empty)).toEqual(defaults);
  });

  it("reads what is set and looks at nothing else", () => {
    const env = { SIZE: "9", FLAG: "true", NAME: "x", KEY: "12", OTHER: "y", size: "1" };
    expect(readEnvironment(TABLE, env)).toEqual({ SIZE: 9, FLAG: true, NAME: "x", KEY: "12" });
  });

  // proves OPS-02
  it("names every malformed variable at once, with what was expected and what came", () => {
    expect(faultsOf({ SIZE: "10", FLAG: "yes", KEY: SECRET })).toEqual([
      'SIZE: expected a whole number from 1 to 9, found "10"',
      'FLAG: expected one of true, false, found "yes"',
      "KEY: expected digits, found another text (not shown)",
    ]);
    expect(() => readEnvironment(TABLE, { SIZE: "10", FLAG: "yes" })).toThrow(
      'malformed:\n  SIZE: expected a whole number from 1 to 9, found "10"\n  FLAG: expected',
    );
  });

  // proves OPS-03
  it("reads a secret from a file, without the white space around it", () => {
    const values = readEnvironment(TABLE, { KEY_FILE: "/run/key" }, readerOf({ "/run/key": " 12\r\n" }));
    expect(values.KEY).toBe("12");
  });

  it("reads real files by default", () => {
    const directory = mkdtempSync(join(tmpdir(), "environment-"));
    try {
      const path = join(directory, "key");
      writeFileSync(path, "34\n");
      expect(readEnvironment(TABLE, { KEY_FILE: path }).KEY).toBe("34");
      expect(() => readEnvironment(TABLE, { KEY_FILE: directory })).toThrow("KEY_FILE: expected a readable");
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  it("reads a file for secrets only", () => {
    const reader = readerOf({ "/run/name": "somebody" });
    expect(readEnvironment(TABLE, { NAME_FILE: "/run/name" }, reader).NAME).toBe("nobody");
  });

  it("refuses a secret that is given twice, an unreadable file and an empty one", () => {
    const files = { "/run/key": "12", "/run/empty": " \n" };
    expect(faultsOf({ KEY: "12", KEY_FILE: "/run/key" }, files)).toEqual([
      "KEY: expected KEY or KEY_FILE, found both",
    ]);
    expect(faultsOf({ KEY_FILE: "/run/none" }, files)).toEqual([
      'KEY_FILE: expected a readable file, found "/run/none": ENOENT: no such file',
    ]);
    expect(faultsOf({ KEY_FILE: "/run/empty" }, files)).toEqual([
      'KEY_FILE: expected a file with a value, found "/run/empty" empty',
    ]);
  });

  it("never repeats a secret, wherever it came from", () => {
    const wrong = [
      faultsOf({ KEY: SECRET }),
      faultsOf({ KEY_FILE: "/run/key" }, { "/run/key": SECRET }),
      faultsOf({ KEY: SECRET, KEY_FILE: "/run/key" }, { "/run/key": SECRET }),
    ];
    expect(wrong.map((faults) => faults.length)).toEqual([1, 1, 1]);
    expect(JSON.stringify(wrong)).not.toContain(SECRET);
  });
});
