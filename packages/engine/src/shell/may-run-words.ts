import { wordList } from "../word-list.ts";
import { type CommandPattern, fitCommand } from "./command-pattern.ts";
import { commonName } from "./common-name.ts";
import { AWKS } from "./is-plain-awk.ts";
import {
  type CommandReading,
  type NamedCommand,
  readCommandText,
  readInnerCommand,
} from "./named-commands.ts";
import { isInterpreter } from "./starts-others.ts";
import { isSystemProgram } from "./system-program.ts";
import { SHELLS, WRAPPERS } from "./wrapper-table.ts";

/** Programs that run none of their words, or whose words are read elsewhere: `find`. */
const RUNS_NO_WORDS: ReadonlySet<string> = new Set([
  ...WRAPPERS.keys(),
  ...SHELLS,
  ...AWKS,
  ...wordList("find echo printf true false : [ test cd pushd popd pwd exit return set shift umask let wait"),
  ...wordList("export unset declare typeset local readonly read jobs fg bg kill type hash ulimit"),
  ...wordList("ls cat tac head tail wc sort uniq cut paste tr nl fold column grep egrep fgrep rg fd"),
  ...wordList("diff cmp comm stat file du df ps mkdir rmdir touch cp mv rm shred ln chmod chown chgrp"),
  ...wordList("readlink realpath basename dirname mktemp date sleep seq expr which whereis whatis"),
  ...wordList("apropos man tee md5sum sha1sum sha256sum base64 od xxd hexdump strings jq yq tree"),
  ...wordList("sed tar rsync scp unzip gzip gunzip bzip2 xz zstd curl wget ping dig host nslookup"),
  ...wordList("git gh npm yarn pnpm pip pip3 apt apt-get apk brew dnf yum pacman"),
  ...wordList("docker docker-compose podman nerdctl kubectl oc helm terraform tofu aws az"),
  ...wordList("pgrep pkill killall pidof shellcheck shfmt"),
  ...wordList("id whoami hostname uname uptime free chsh adduser useradd usermod groupadd"),
]);

/** Most places in the words of one command where its program may begin another, as count. */
const MAX_PLACES = 16;

/** What a program may cut off before the name of another: `--filter=rm`, `ext::rm`, `+!rm`. */
const BEFORE_PROGRAM = /^.*[=:!+,]/s;

/** What a shell that gets the word removes. */
const QUOTES = /['"]|\\\n?/g;

/** One search, over all places that it looks at. */
interface Search {
  readonly pattern: CommandPattern;
  /** The program of the pattern in lower case. */
  readonly wanted: string;
  /** Whether a variable may name it. */
  readonly isAssigned: boolean;
  places: number;
}

/**
 * Whether a program that is not known may run a command of the pattern that its words name: `gosu app rm x`,
 * `split --filter='rm x'`, or give words to a shell or an interpreter that may: `gosu app sh -c 'r\\m x'`.
 * Programs that are known to leave their words alone are not asked.
 * @param isAssigned whether the text sets variables of which one may be the name of the program
 */
export function mayRunWords(command: NamedCommand, pattern: CommandPattern, isAssigned: boolean): boolean {
  return searchWords(command, { pattern, wanted: pattern.name.toLowerCase(), isAssigned, places: 0 });
}

/** Whether the program of a pattern stands somewhere in a text, so that a variable may have its name. */
export function mayName(text: string, { name }: CommandPattern): boolean {
  return text.replaceAll(QUOTES, "").toLowerCase().includes(name.toLowerCase());
}

function searchWords(command: NamedCommand, search: Search): boolean {
  if (RUNS_NO_WORDS.has(command.name) && isSystemProgram(command.program)) return false;
  const { wanted } = search;
  for (const [at, { text, isOpen }] of command.words.entries()) {
    if (isOpen && (search.isAssigned || mayBecome(text, wanted))) return true;
    const isNamed = namesProgram(text, wanted) || namesProgram(text.replaceAll(QUOTES, ""), wanted);
    if (!isNamed && !isRunner(text)) continue;
    search.places += 1;
    if (search.places > MAX_PLACES) return true;
    const isText = /[\s;&|()'"\\]/.test(text);
    if (isText && mayRunText(text, search)) return true;
    if (!isText && (isNamed ? beginsAt(command, at, search) : mayRunFrom(command, at, search))) return true;
  }
  return false;
}

/** Whether a word begins with a program that runs others, or code. */
function isRunner(text: string): boolean {
  const name = nameOf(/^\S*/.exec(text)?.[0] ?? "");
  return WRAPPERS.has(name) || SHELLS.has(name) || isInterpreter(name);
}

function nameOf(text: string): string {
  const program = text.replace(BEFORE_PROGRAM, "");
  return commonName(program.slice(program.lastIndexOf("/") + 1));
}

function namesProgram(text: string, wanted: string): boolean {
  const lower = text.toLowerCase();
  return lower.includes(wanted) && lower.split(/[^\w.+@-]+|[+=]/).some((part) => part.startsWith(wanted));
}

/** Whether an expansion may make the name of the program from its beginning: `r$X`, `python{3..3}`. */
function mayBecome(text: string, wanted: string): boolean {
  const part =
    text
      .toLowerCase()
      .split(/[^\w.+@-]+|[+=]/)
      .at(-1) ?? "";
  return part !== "" && wanted.startsWith(part);
}

/** Whether the words from this one on would be a command of the pattern. */
function beginsAt(command: NamedCommand, at: number, { pattern }: Search): boolean {
  const program = (command.words[at]?.text ?? "").replace(BEFORE_PROGRAM, "");
  const name = program.slice(program.lastIndexOf("/") + 1);
  return (
    fitCommand({ ...command, program, name, words: command.words.slice(at + 1) }, pattern, "any") !== "no"
  );
}

/** Whether the program that a word names may run a command of the pattern with the words after it. */
function mayRunFrom(command: NamedCommand, at: number, search: Search): boolean {
  const [program, ...words] = command.words.slice(at);
  // An interpreter without words is more often the name of a language.
  if (program === undefined || (words.length === 0 && !SHELLS.has(nameOf(program.text)))) return false;
  const named = { ...program, text: program.text.replace(BEFORE_PROGRAM, "") };
  return mayRun(readInnerCommand({ words: [named, ...words], isOpenEnded: command.isOpenEnded }), search);
}

/** Whether a word of several words would be a command line with a command of the pattern. */
function mayRunText(text: string, search: Search): boolean {
  return mayRun(readCommandText(text.replace(/^(?:-[^=\s]*=)?[+!\s]*/, "")), search);
}

function mayRun({ commands, doubt }: CommandReading, search: Search): boolean {
  return (
    doubt !== null ||
    commands.some(
      (command) =>
        command.startsOthers ||
        fitCommand(command, search.pattern, "any") !== "no" ||
        searchWords(command, search),
    )
  );
}
