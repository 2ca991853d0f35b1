import { MAX_POLICY_BYTES } from "@svc/contract/limits";
import { utf8Length } from "@svc/text/utf8";
import { type Document, parseAllDocuments, type YAMLError } from "yaml";
import { buildTree } from "./build-tree.ts";
import { explainSyntax } from "./explain-syntax.ts";
import { offsetPastDepth } from "./offset-past-depth.ts";
import type { Reporter } from "./reporter.ts";
import type { SourceNode } from "./source-node.ts";

/**
 * Most brackets that may be open at once before the document is parsed, as count: many times what a policy
 * nests, also in texts and patterns. The parser takes seconds for a hundred thousand.
 */
const MAX_OPEN_BRACKETS = 1_000;

const WHOLE = { pointer: "", offset: 0 };

/**
 * Reads one document of YAML 1.2 core schema, which JSON is a part of, into a positioned tree.
 * @returns null when nothing could be read; the reporter then holds the errors.
 */
export function readSource(source: string, reporter: Reporter): SourceNode | null {
  const bytes = utf8Length(source);
  if (bytes > MAX_POLICY_BYTES) {
    reporter.report("policy/too-large", WHOLE, {
      message: "the document is too large",
      expected: `at most ${String(MAX_POLICY_BYTES)} bytes`,
      found: `${String(bytes)} bytes`,
      fix: "shorten its lists with globs",
    });
    return null;
  }
  const tooDeepAt = offsetPastDepth(source, MAX_OPEN_BRACKETS);
  if (tooDeepAt !== null) {
    reportTooDeep(tooDeepAt, reporter);
    return null;
  }
  const documents = parseAllDocuments(source, {
    lineCounter: reporter.lineCounter,
    schema: "core",
    version: "1.2",
    merge: false,
    resolveKnownTags: false,
    // The reader compares every key with every other; buildTree refuses duplicates in linear time.
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: "silent",
  });
  const document = Array.isArray(documents) ? onlyDocument(documents, reporter) : null;
  if (document === null) {
    if (!reporter.hasErrors) reportEmpty(reporter);
    return null;
  }
  reportDirective(document, reporter);
  if (document.errors.length > 0) {
    reportSyntax(source, document.errors, reporter);
    return null;
  }
  if (document.contents === null) {
    reportEmpty(reporter);
    return null;
  }
  return buildTree(document, reporter);
}

function onlyDocument(documents: readonly Document.Parsed[], reporter: Reporter): Document.Parsed | null {
  const second = documents[1];
  if (second !== undefined) {
    reporter.report(
      "policy/multiple-documents",
      { pointer: "", offset: second.range[0] },
      {
        message: "a second document begins here",
        expected: "one document",
        found: `${String(documents.length)} documents`,
        fix: "keep each policy in a file of its own, without a line of three dashes or dots",
      },
    );
    return null;
  }
  return documents[0] ?? null;
}

function reportEmpty(reporter: Reporter): void {
  reporter.report("policy/empty-document", WHOLE, {
    message: "the document is empty",
    expected: "a mapping with at least the key id",
    found: "no key",
    fix: "begin with id: my-policy, then list what may be called under tools.allowed",
  });
}

/** A %YAML 1.1 directive would turn `no` into false and 010 into 8. */
function reportDirective(document: Document.Parsed, reporter: Reporter): void {
  const { yaml, tags } = document.directives;
  if (yaml.explicit !== true && Object.keys(tags).length <= 1) return;
  reporter.report("policy/directive", WHOLE, {
    message: "directives are not accepted",
    expected: "a document without lines that begin with %",
    found: "a directive",
    fix: "remove the directive; policies are always read as YAML 1.2",
  });
}

/** One finding: the errors after the first one mostly follow from it. */
function reportSyntax(source: string, errors: readonly YAMLError[], reporter: Reporter): void {
  const exhausted = errors.find((error) => error.code === "RESOURCE_EXHAUSTION");
  if (exhausted !== undefined) {
    reportTooDeep(exhausted.pos[0], reporter);
    return;
  }
  const [first] = errors.toSorted((left, right) => left.pos[0] - right.pos[0]);
  if (first === undefined) return;
  const { offset, ...finding } = explainSyntax(source, first);
  reporter.report("policy/syntax", { pointer: "", offset }, finding);
}

function reportTooDeep(offset: number, reporter: Reporter): void {
  reporter.report(
    "policy/too-deep",
    { pointer: "", offset },
    {
      message: "the document nests too deeply",
      expected: "lists and mappings a few levels deep",
      found: "more levels than can be read",
      fix: "check for brackets that are never closed",
    },
  );
}
