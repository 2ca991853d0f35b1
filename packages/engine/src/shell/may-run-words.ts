import { wordList } from "../word-list.ts";
import { type CommandPattern, fitCommand } from "./command-pattern.ts";
import { AWKS } from "./is-plain-awk.ts";
import { type NamedCommand, readCommandText } from "./named-commands.ts";
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
  ...wordList("id whoami hostname uname uptime free chsh adduser useradd usermod groupadd"),
]);

/** Most places in the words of one command where its program may begin another, as count. */
const MAX_PLACES = 16;

/** What a program may cut off before the name of another: `--filter=rm`, `ext::rm`, `+!rm`. */
const BEFORE_PROGRAM = /^.*[=:!+,]/s;

/**
 * Whether a program that is not known may run a command of the pattern that its words name: `gosu app rm x`,
 * `split --filter='rm x'`. Programs that are known to leave their words alone are not asked.
 */
export function mayRunWords(command: NamedCommand, pattern: CommandPattern): boolean {
  if (RUNS_NO_WORDS.has(command.name) && isSystemProgram(command.program)) return false;
  const wanted = pattern.name.toLowerCase();
  let places = 0;
  for (const [at, { text, isOpen }] of command.words.entries()) {
    if (isOpen && mayBecome(text, wanted)) return true;
    if (!namesProgram(text, wanted)) continue;
    places += 1;
    if (places > MAX_PLACES) return true;
    if (/[\s;&|()]/.test(text) ? mayRunText(text, pattern) : beginsAt(command, at, pattern)) return true;
  }
  return false;
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
function beginsAt(command: NamedCommand, at: number, pattern: CommandPattern): boolean {
  const program = (command.words[at]?.text ?? "").replace(BEFORE_PROGRAM, "");
  const name = program.slice(program.lastIndexOf("/") + 1);
  return (
    fitCommand({ ...command, program, name, words: command.words.slice(at + 1) }, pattern, "any") !== "no"
  );
}

/** Whether a word of several words would be a command line with a command of the pattern. */
function mayRunText(text: string, pattern: CommandPattern): boolean {
  const { commands, doubt } = readCommandText(text.replace(/^(?:-[^=\s]*=)?[+!\s]*/, ""));
  return doubt !== null || commands.some((command) => fitCommand(command, pattern, "any") !== "no");
}
