import { wordList } from "@svc/engine/word-list";
import type { JsonObject } from "@svc/text/json-value";
import type { AuthoredQuestion } from "../authored-rule.ts";
import type { FindingCheck } from "../finding.ts";
import { renderFlow } from "../render-flow.ts";
import { shortNameOf, suspectQuestion, textsOf } from "../suspect-question.ts";
import { sampleOf } from "../witness/pattern-sample.ts";

const NAMES: ReadonlySet<string> = new Set(
  wordList(
    "path paths file files filename file_name filenames filepath file_path file_paths folder folders " +
      "folder_path dir dirs dir_path directory cwd source_path src_path target_path dest_path " +
      "destination_path full_path local_path output_path input_path",
  ),
);

const COMPARES_TEXT: ReadonlySet<unknown> = new Set([
  "==",
  "in",
  "contains",
  "starts_with",
  "ends_with",
  "matches",
  "matches_all",
]);

/** A path that is judged as a text: one file has many names. */
export const pathAsText: FindingCheck = {
  code: "policy/path-as-text",
  *suspect(context) {
    for (const authored of context.rules.flatMap(({ questions }) => questions)) {
      const { operator } = authored;
      const [first] = textsOf(authored);
      if (first === undefined || !COMPARES_TEXT.has(operator) || !NAMES.has(shortNameOf(authored))) continue;
      const isGuard = authored.role === "stops";
      // A text that is allowed as it stands, or up to its end, names no other file than it says.
      if (!isGuard && (operator === "==" || operator === "in" || operator === "ends_with")) continue;
      for (const reading of readingsOf(authored)) {
        const instead = { ...withoutCase(authored), ...reading.test };
        yield suspectQuestion(context, authored, {
          place: first.place,
          instead,
          shows: "passes",
          values: isGuard ? reading.otherNames : reading.ways,
          words: {
            message: isGuard
              ? "one file has many names, such as a/./b and a//b, and this condition compares the text"
              : "a path leads out of a folder again with .., and this condition compares the text",
            expected: "path_within or path_named, which read the path",
            found: `operator: ${operator} for ${shortNameOf(authored)}`,
            fix: isGuard
              ? `write ${renderFlow(instead)}; better, deny what is not path_within the folders that are free`
              : `write path_within with whole folders, such as ${renderFlow(instead)}`,
          },
        });
      }
    }
  },
};

interface PathReading {
  readonly test: JsonObject;
  /** Other names of what the text names. */
  readonly otherNames: readonly string[];
  /** Paths that hold the text and lead to another file. */
  readonly ways: readonly string[];
}

function withoutCase({ written }: AuthoredQuestion): JsonObject {
  const { ignore_case: _case, ...rest } = written;
  return rest;
}

function readingsOf(authored: AuthoredQuestion): readonly PathReading[] {
  const { operator } = authored;
  const isPattern = operator === "matches" || operator === "matches_all";
  const texts = textsOf(authored).flatMap(({ text }) => {
    const samples = isPattern ? [sampleOf(text), sampleOf(text, { dots: "../etc/passwd" })] : [text];
    return samples.flatMap((sample) => (sample === null || !/^[\w./@~*-]+$/.test(sample) ? [] : [sample]));
  });
  const ways = texts.flatMap((text) => [
    text,
    `${text.replace(/\/$/, "")}/../../../etc/passwd`,
    `/srv${text}../../../etc/passwd`,
    `/srv/x${text.replace(/\/?$/, "/")}../../../../etc/passwd`,
  ]);
  const folders = texts.filter((text) => text.startsWith("/") && !isPartOnly(operator));
  const names = texts.filter((text) => !folders.includes(text));
  return [
    ...(folders.length === 0
      ? []
      : [{ test: within(folders), otherNames: folders.flatMap(otherFolders), ways }]),
    ...(names.length === 0 ? [] : [{ test: named(names, operator), otherNames: otherFiles(names), ways }]),
  ];
}

/** Operators that say nothing about where a path begins. */
function isPartOnly(operator: string): boolean {
  return operator === "contains" || operator === "ends_with";
}

function within(folders: readonly string[]): JsonObject {
  return { operator: "path_within", value: folders.map((folder) => folder.replace(/(?<=.)\/$/, "")) };
}

function named(names: readonly string[], operator: string): JsonObject {
  const value = names.map((name) => {
    const inner = name.replace(/^(?:\.?\/)+|\/+$/g, "");
    return operator === "ends_with" && isExtension(name) ? `*${inner}` : inner;
  });
  return { operator: "path_named", value };
}

function otherFolders(folder: string): readonly string[] {
  const plain = folder.replace(/\/$/, "");
  return [`/srv/..${plain}/x`, `/.${plain}/x`, `/${plain}/x`, `/.${plain}`, `/${plain}`];
}

function otherFiles(names: readonly string[]): readonly string[] {
  return names.flatMap((name) => {
    const inner = name.replace(/^(?:\.?\/)+|\/+$/g, "");
    if (isExtension(name)) return [`x${inner}`.toUpperCase()];
    const ends = [inner, `./${inner}/x`, `${inner}/x`, `file${inner}`];
    return [
      `src/.//${inner}`,
      ...ends,
      ...[inner.replace("/", "//"), inner.replace("/", "/./")].flatMap((spelt) => [spelt, `${spelt}/x`]),
      ...ends.map((end) => end.toUpperCase()),
    ];
  });
}

/** `.pem`, and not a hidden file. */
function isExtension(name: string): boolean {
  return /^\.[a-z0-9]+$/i.test(name) && !name.startsWith(".env");
}
