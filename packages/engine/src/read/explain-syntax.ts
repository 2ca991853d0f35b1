import { parseJson } from "@svc/text/parse-json";
import type { YAMLError } from "yaml";
import type { Finding } from "./reporter.ts";
import { quoteShort } from "./source-node.ts";
import { unclosedBracket } from "./unclosed-bracket.ts";

/** A finding about text that is not YAML, and the place that it is about. */
export interface SyntaxFinding extends Finding {
  readonly offset: number;
}

/** Longest message of the YAML reader that is passed on, in UTF-16 units: it may repeat the source. */
const READER_MESSAGE_LENGTH = 200;

/** Longest piece of a line, in UTF-16 units, that is looked at for what stands there. */
const PIECE_LENGTH = 80;

/**
 * Says what an error of the YAML reader means for the person who wrote the text. Only the first error of a
 * text is worth a finding: the others mostly follow from it.
 */
export function explainSyntax(source: string, error: YAMLError): SyntaxFinding {
  const offset = error.pos[0];
  return (
    explainJson(source) ??
    explainByCode(source, error, offset) ?? {
      offset,
      ...invalid(source, error.message.slice(0, READER_MESSAGE_LENGTH)),
      found: error.code.toLowerCase().replaceAll("_", " "),
      fix: "check quotes, brackets and colons at this place and on the line before",
    }
  );
}

function explainByCode(source: string, { code, message }: YAMLError, offset: number): SyntaxFinding | null {
  const piece = pieceAt(source, offset);
  switch (code) {
    case "TAB_AS_INDENT":
      return tabAsIndent(source, offset);
    case "BAD_INDENT":
      return explainIndent(source, message, offset);
    case "BAD_ALIAS":
      return {
        offset,
        ...invalid(source, "a plain value cannot begin with *"),
        found: "*",
        fix: 'put the glob in quotes: "*"',
      };
    case "BAD_SCALAR_START":
      return mustBeQuoted(source, offset, piece);
    case "UNEXPECTED_TOKEN":
      if (message.startsWith("Block scalar header"))
        return mustBeQuoted(source, offset, blockHeader(source, offset));
      return unclosedBracket(source, offset) === null ? null : missingComma(source, offset);
    case "BAD_DQ_ESCAPE":
      return {
        offset,
        ...invalid(source, "in double quotes a backslash begins an escape sequence"),
        found: quoteShort(piece.slice(0, 2)),
        fix: "use single quotes: they take backslashes as they are",
      };
    case "MISSING_CHAR":
      return explainMissing(source, message, offset);
    case "BLOCK_AS_IMPLICIT_KEY":
    case "MULTILINE_IMPLICIT_KEY":
      return explainKey(source, offset);
    default:
      return null;
  }
}

/** The reader of JSON finds the place of a fault in JSON better than the reader of YAML. */
function explainJson(source: string): SyntaxFinding | null {
  if (!looksLikeJson(source)) return null;
  try {
    parseJson(source);
    return null;
  } catch (error) {
    const message = error instanceof Error ? error.message : "";
    const position = /at position ([0-9]+)/.exec(message)?.[1];
    if (position === undefined) return null;
    const offset = Number(position);
    const isComma = /Expected ',' or/.test(message) && /["{[]/.test(source[offset] ?? "");
    return {
      offset,
      message: isComma ? "the text is not valid JSON: a comma is missing" : "the text is not valid JSON",
      expected: isComma ? "a comma or a closing bracket" : "JSON, or YAML 1.2",
      found: quoteShort(pieceAt(source, offset).slice(0, 1)),
      fix: isComma
        ? "add a comma after the entry before this place"
        : "check quotes, commas and brackets at this place and on the line before",
    };
  }
}

function explainIndent(source: string, message: string, offset: number): SyntaxFinding {
  const open = message.startsWith("Flow") ? unclosedBracket(source, offset) : null;
  if (open !== null) {
    const close = open.bracket === "{" ? "}" : "]";
    return {
      offset: open.offset,
      ...invalid(source, `this ${open.bracket} is never closed`),
      expected: `${close} after the last entry`,
      found: "a line that does not belong to the entries",
      fix: `add ${close} where the entries of this ${open.bracket} end`,
      related: { pointer: "", offset },
    };
  }
  const lineStart = source.lastIndexOf("\n", offset - 1) + 1;
  const line = pieceAt(source, lineStart);
  const indentation = /^ */.exec(line)?.[0].length ?? 0;
  if (line[indentation] === "\t") return tabAsIndent(source, offset);
  if (isBelowBlock(source.slice(0, lineStart), indentation))
    return {
      offset,
      ...invalid(source, "this line is indented less than the first line of its text"),
      expected: "as many spaces as the first line of the text has, or more",
      found: indentation === 1 ? "1 space" : `${String(indentation)} spaces`,
      fix: "indent every line of the text at least as much as its first line",
    };
  return {
    offset,
    ...invalid(source, "the indentation of this line fits no line above it"),
    expected: "as many spaces as the other keys of the same mapping have",
    found: indentation === 1 ? "1 space" : `${String(indentation)} spaces`,
    fix: "indent this line as much as the other keys of its mapping",
  };
}

function tabAsIndent(source: string, offset: number): SyntaxFinding {
  return {
    offset,
    ...invalid(source, "a tab cannot indent a line"),
    found: "a tab",
    fix: "replace the tab with spaces, as many as the line above it of the same mapping has",
  };
}

/** Whether a line follows a text of several lines, and is indented more than the key of the text. */
function isBelowBlock(before: string, indentation: number): boolean {
  const lines = before.split("\n").filter((line) => line.trim() !== "");
  const header = lines.findLastIndex((line) => indentOf(line) < indentation);
  return (
    header !== -1 && header < lines.length - 1 && /:\s+[|>][-+0-9]*\s*(?:#.*)?$/.test(lines[header] ?? "")
  );
}

function explainMissing(source: string, message: string, offset: number): SyntaxFinding | null {
  const found = quoteShort(pieceAt(source, offset).slice(0, 1));
  if (/^[A-Za-z0-9_.*-]$/.test(source[offset - 1] ?? "") && source[offset] === "{") {
    return {
      offset,
      ...invalid(source, "a name cannot have braces here"),
      expected: "a name without braces",
      found,
      fix: "globs have no braces: list the names separately, as in [read_a, read_b]",
    };
  }
  if (message.includes("Missing ,")) return missingComma(source, offset);
  if (!message.includes("quote")) return null;
  return {
    offset,
    ...invalid(source, "a quote is never closed"),
    found: "the end of the text",
    fix: "close the quote where the text ends; it may have been opened many lines above",
  };
}

function missingComma(source: string, offset: number): SyntaxFinding {
  return {
    offset,
    ...invalid(source, "a comma is missing before this place"),
    expected: "a comma between entries",
    found: quoteShort(pieceAt(source, offset).slice(0, 1)),
    fix: "add a comma after the entry before this place",
  };
}

/** A line that reads as a key without a value, or as two keys. */
function explainKey(source: string, offset: number): SyntaxFinding {
  const start = source.lastIndexOf("\n", offset - 1) + 1;
  const line = pieceAt(source, start);
  return {
    offset,
    ...invalid(source, "this line is not one key with one value"),
    expected: "key: value, or a key with indented lines below it",
    found: quoteShort(line.trim()),
    fix: fixKey(line, pieceAt(source, start + line.length + 1)),
  };
}

function fixKey(line: string, next: string): string {
  const noSpace = /^\s*([A-Za-z_]+):[^\s]/.exec(line)?.[1];
  if (noSpace !== undefined) return `write a space after the colon: ${noSpace}: ...`;
  if (/^\s*-[A-Za-z_]/.test(line)) return "write a space after the dash, as in - id: ...";
  if (/: .*: /.test(line)) return "put the value in quotes: it holds a colon";
  const isWhole = /^\s*[A-Za-z_]+: \S/.test(line);
  if (isWhole && indentOf(next) > indentOf(line)) return "indent the next line as much as this one";
  return "write a colon after the key, and indent the lines that belong to it";
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function mustBeQuoted(source: string, offset: number, piece: string): SyntaxFinding {
  const value = /^[^\s,\]}]+/.exec(piece)?.[0] ?? piece.slice(0, 1);
  return {
    offset,
    ...invalid(source, `a plain value cannot begin with ${value.slice(0, 1)}`),
    expected: "a value in quotes",
    found: quoteShort(value),
    fix: `put it in quotes: ${JSON.stringify(value.replace(/["\\]/g, ""))}`,
  };
}

/** The operator of which `>` was taken for the beginning of a text of several lines. */
function blockHeader(source: string, offset: number): string {
  const lineStart = source.lastIndexOf("\n", offset - 1) + 1;
  const value = /:\s+(\S.*)$/m.exec(source.slice(lineStart, offset + PIECE_LENGTH));
  return value?.[1] ?? pieceAt(source, offset);
}

function invalid(source: string, what: string): { message: string; expected: string } {
  const language = looksLikeJson(source) ? "JSON" : "YAML";
  return { message: `the text is not valid ${language}: ${what}`, expected: "YAML 1.2 or JSON" };
}

function looksLikeJson(source: string): boolean {
  return /^\s*\{\s*"/.test(source);
}

/** What stands at a place, to the end of its line. */
function pieceAt(source: string, offset: number): string {
  return source.slice(offset, offset + PIECE_LENGTH).split("\n", 1)[0] ?? "";
}
