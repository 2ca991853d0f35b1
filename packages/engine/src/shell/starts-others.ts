import { wordList } from "../word-list.ts";
import { AWKS, isPlainAwk } from "./is-plain-awk.ts";
import { isPlainSed } from "./is-plain-sed.ts";
import { isKnownSubcommand, mayBeSubcommand } from "./same-subcommand.ts";
import type { ShellWord } from "./shell-word.ts";

/** Programs that always run others, or code, in ways that are not read here. */
const ALWAYS: ReadonlySet<string> = new Set([
  ...wordList("ssh su runuser script watch parallel flock chroot unshare nsenter strace"),
  ...wordList(
    "setpriv prlimit choom psql ltrace gdb expect entr systemd-run at batch crontab tmux screen fakeroot",
  ),
  ...wordList("proot firejail bwrap pkexec sg linux32 linux64 numactl cpulimit taskset"),
  ...wordList("chrt start-stop-daemon vi vim nvim ex view emacs"),
  ...wordList("ed fish csh tcsh cmd powershell pwsh wsl osascript npx bunx pnpx"),
  ...wordList("uvx pipx m4 nix-shell direnv dotenv unbuffer chronic ifne rush run-parts"),
  ...wordList("logrotate socat torsocks torify proxychains perf valgrind catchsegv dbus-run-session"),
  ...wordList("rc nu elvish xonsh osh ysh sash es hush tclsh wish irb iex ghci jshell jrunscript"),
]);

/** Programs that run others when one of these words or options is among theirs. */
const WITH_WORD: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...alike(["docker", "podman", "nerdctl", "docker-compose"], ["exec", "run", "create"]),
  ...alike(["kubectl", "oc"], ["exec", "run", "debug", "rsh", "plugin", "--", "--kubeconfig"]),
  ["gh", wordList("codespace cs ssh alias extension ext exec --")],
  ["helm", ["--post-renderer", "plugin", "--kubeconfig"]],
  ...alike(["npm", "yarn", "pnpm"], ["exec", "x", "dlx", "explore", "pkg", "--script-shell"]),
  ...alike(
    ["uv", "poetry", "pipenv", "rye", "pdm", "hatch", "conda", "nix", "mise", "asdf", "vagrant"],
    ["run", "exec", "develop", "shell", "x", "ssh"],
  ),
  ["bundle", ["exec"]],
  [
    "git",
    [
      ...wordList("remote-ext remote-fd merge-index instaweb --sendmail-cmd --template"),
      ...wordList("-c --config-env --exec-path --upload-pack --receive-pack --exec -x foreach"),
      ...wordList("run filter-branch --extcmd -O --open-files-in-pager --smtp-server --to-cmd --cc-cmd"),
    ],
  ],
  [
    "tar",
    [
      ...wordList("--checkpoint-action --to-command -I --use-compress-program --rsh-command -F"),
      ...wordList("--info-script --new-volume-script --rmt-command"),
    ],
  ],
  ...alike(["apt", "apt-get"], ["-o", "-c", "--option", "--config-file"]),
  ["man", ["-P", "-H", "--pager", "--html"]],
  ["rsync", ["-e", "--rsh", "--rsync-path"]],
  ["scp", ["-S", "-o"]],
  ["fd", ["-x", "-X", "--exec", "--exec-batch"]],
  ["rg", ["--pre", "--hostname-bin"]],
  ["sort", ["--compress-program"]],
  ["split", ["--filter"]],
  ["zip", ["-T", "-TT", "--test", "--unzip-command"]],
  ["wget", ["--use-askpass", "-e", "--execute"]],
]);

/** Interpreters, and the letters of their options that take code or the name of a module to run. */
const CODE_LETTERS: readonly (readonly [RegExp, string])[] = [
  [/^python[0-9.]*$/, "cm"],
  [/^perl[0-9.]*$/, "eE"],
  [/^ruby[0-9.]*$/, "e"],
  [/^(?:node|nodejs|bun|deno)$/, "ep"],
  [/^php[0-9.]*$/, "rBRE"],
  [/^(?:lua[0-9.]*|Rscript|julia|elixir|ghc|groovy|scala)$/, "eE"],
  [/^(?:mysql|ftp|nc|ncat)$/, "ceF"],
];

/** Names of the standard input, and of other open files. */
const INPUT = /^(?:-|\/dev\/(?:stdin|fd\/.*)|\/proc\/.*\/fd\/.*)$/;

function alike(names: readonly string[], words: readonly string[]): (readonly [string, readonly string[]])[] {
  return names.map((name) => [name, words]);
}

/** Settings of git that surely name no program. */
const GIT_SETTING = new RegExp(
  "^(?:user\\.(?:name|email)|core\\.(?:autocrlf|eol|filemode|ignorecase|quotepath)|color\\..*|" +
    "init\\.defaultbranch|pull\\.(?:rebase|ff)|push\\.default|advice\\..*)$",
  "i",
);

/** Whether a call of git sets something that it may run later. */
function setsProgram(words: readonly ShellWord[]): boolean {
  const at = words.findIndex(({ text }) => text === "config");
  if (at === -1) return false;
  const [key, value] = words.slice(at + 1).filter(({ text, isOpen }) => isOpen || !text.startsWith("-"));
  return key !== undefined && value !== undefined && (key.isOpen || !GIT_SETTING.test(key.text));
}

/** Programs with a language of their own in their words: whether these may run something. */
const WORDS_OF_CODE: ReadonlyMap<string, (words: readonly ShellWord[]) => boolean> = new Map([
  [
    "git",
    (words) =>
      words.some(({ text }) => text.includes("ext::") || text.startsWith("!")) ||
      setsProgram(words) ||
      (words.some(({ text }) => text === "clone") && words.some(({ text }) => /^-[a-z]*u/.test(text))),
  ],
  // What is not a subcommand is a script, or a program.
  ["yarn", (words) => !isKnownSubcommand("yarn", words)],
  ["pnpm", (words) => !isKnownSubcommand("pnpm", words)],
  ["deno", (words) => words.some(({ text }) => /^(?:eval|repl|task|x)$/.test(text))],
  ["bun", (words) => words.some(({ text }) => /^(?:exec|repl|run|x)$/.test(text))],
  // Assignments replace the programs of its rules, the shell among them.
  [
    "make",
    (words) =>
      words.some(({ text }) => text.includes("=") || /^--?e|^-[a-z]*E|^-[a-z]*f|^--(?:f|mak)/i.test(text)),
  ],
  // Letters of the first word need no dash.
  ["tar", ([first]) => first !== undefined && !first.text.startsWith("-") && /[IF]/.test(first.text)],
  // Commands of its prompt, and functions that run a program.
  [
    "sqlite3",
    (words) =>
      // Without a statement behind the database it reads its input.
      words.filter((word) => !isOption(word)).length < 2 ||
      words.some(({ text }) =>
        /^-+(?:init|cmd)|^\s*\.[a-z]|\n\s*\.[a-z]|\b(?:edit|load_extension)\b/i.test(text),
      ),
  ],
  ...["less", "more", "most", "pg"].map(
    (pager) =>
      [pager, (words: readonly ShellWord[]) => words.some(({ text }) => text.startsWith("+"))] as const,
  ),
]);

export function isInterpreter(name: string): boolean {
  return CODE_LETTERS.some(([pattern]) => pattern.test(name));
}

/** Whether a program may run others when it gets words that are not known. */
export function mayStartOthers(name: string): boolean {
  return isInterpreter(name) || WITH_WORD.has(name) || WORDS_OF_CODE.has(name) || name === "sed";
}

/** Whether a command may run programs or code that its words do not show as commands. */
export function startsOthers(name: string, words: readonly ShellWord[]): boolean {
  // The loader of the system runs the program that it gets.
  if (ALWAYS.has(name) || /^ld(?:-linux|-musl|\.so)/.test(name)) return true;
  if (AWKS.has(name)) return !isPlainAwk(words);
  if (name === "sed") return !isPlainSed(words);
  if (WORDS_OF_CODE.get(name)?.(words) === true) return true;
  const starters = WITH_WORD.get(name);
  if (starters !== undefined)
    return words.some(
      (word) =>
        mayBeOneOf(word, starters) || starters.some((starter) => mayBeSubcommand(name, word.text, starter)),
    );
  const letters = CODE_LETTERS.find(([pattern]) => pattern.test(name))?.[1];
  if (letters === undefined) return false;
  // Without a script an interpreter reads its code from its input.
  return (
    words.every(isOption) ||
    words.some((word) => INPUT.test(word.text) || (isOption(word) && hasLetter(word, letters)))
  );
}

function mayBeOneOf({ text, isOpen, mayBeOption }: ShellWord, starters: readonly string[]): boolean {
  if (isOpen) return mayBeOption || starters.some((starter) => starter.startsWith(text));
  const [option = ""] = text.split("=", 1);
  return starters.some(
    (starter) =>
      text === starter ||
      // Programs take the beginning of a long option for it.
      (starter.startsWith("--") && option.length > 2 && starter.startsWith(option)) ||
      (/^-[^-]$/.test(starter) && /^-[^-]/.test(text) && text.includes(starter.charAt(1))),
  );
}

function isOption({ text, mayBeOption }: ShellWord): boolean {
  return mayBeOption || text.startsWith("-");
}

function hasLetter({ text, mayBeOption }: ShellWord, letters: string): boolean {
  return (
    mayBeOption || /^--(?:e|p|c|r)/.test(text) || letters.split("").some((letter) => text.includes(letter))
  );
}
