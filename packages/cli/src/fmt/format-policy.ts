import { canonicalJson } from "@svc/text/canonical-json";
import type { JsonValue } from "@svc/text/json-value";
import { type Document, Lexer, parseAllDocuments } from "yaml";
import { CommandFailure } from "../frame/exit-code.ts";
import type { PolicyFile } from "../policy-files/read-policy-file.ts";
import { orderKeys } from "./order-keys.ts";
import { PLAIN, unfoldCollections } from "./unfold-collections.ts";

/** Longest line in characters before a list or mapping in brackets is broken into lines. */
const WIDTH = 110;

/**
 * Most times that a text is formatted until it stays. A comment at the end of the file can move once: what it
 * belongs to shows only when the lines above it are in their form.
 */
const MAX_ROUNDS = 4;

/**
 * The canonical form of a policy, which formatting leaves as it is. Its value and its comments are those of
 * the source: what does not keep them is a defect, and is thrown.
 * @throws CommandFailure `failed` when the source is not one plain document
 */
export function formatPolicy(file: PolicyFile): string {
  const text = formatLines({ ...file, source: file.source.replaceAll("\r\n", "\n") });
  if (!endsInCrlf(file.source)) return text;
  const whole = text.replaceAll("\n", "\r\n");
  requireSame(file.name, valueOf(parse(file.name, file.source)), valueOf(parse(file.name, whole)));
  return whole;
}

/** A file whose lines all end so keeps its ends. One with both kinds gets the ends of the canonical form. */
function endsInCrlf(source: string): boolean {
  return source.includes("\r\n") && !/(?<!\r)\n/.test(source);
}

function formatLines(file: PolicyFile): string {
  let { source } = file;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const text = formatOnce({ ...file, source });
    if (text === source) return text;
    source = text;
  }
  throw new Error(`${file.name}: the form does not become stable; nothing was written`);
}

function formatOnce({ name, source, mediaType }: PolicyFile): string {
  const document = parse(name, source);
  const before = valueOf(document);
  orderKeys(document);
  unfoldCollections(document, WIDTH);
  const text =
    mediaType === "application/json"
      ? `${JSON.stringify(document.toJS(), null, 2)}\n`
      : document.toString(PLAIN);
  requireSame(name, before, valueOf(parse(name, text)));
  requireSame(name, commentsOf(source), commentsOf(text));
  return text;
}

function parse(name: string, source: string): Document {
  const documents = parseAllDocuments(source, { schema: "core", merge: false, logLevel: "silent" });
  const [document, second] = Array.isArray(documents) ? documents : [];
  if (document === undefined || second !== undefined)
    throw new CommandFailure("failed", `${name}: expected one document. See svc-cli validate`);
  const [fault] = document.errors;
  if (fault !== undefined)
    throw new CommandFailure("failed", `${name}: ${fault.message.split("\n")[0] ?? ""} See svc-cli validate`);
  return document;
}

/** An alias is not expanded: policies have none, and one could stand for a gigabyte. */
function valueOf(document: Document): string {
  return canonicalJson(document.toJS({ maxAliasCount: 0 }) as JsonValue);
}

/** The comments in a text, in an order of their own, without the blanks around them. */
function commentsOf(text: string): string {
  const comments = [...new Lexer().lex(text)].filter((token) => token.startsWith("#"));
  return JSON.stringify(comments.map((comment) => comment.trim()).toSorted());
}

function requireSame(name: string, before: string, after: string): void {
  if (before !== after) throw new Error(`${name}: the formatted policy is not the same; nothing was written`);
}
