import { wordList } from "../word-list.ts";
import type { ShellWord } from "./shell-word.ts";

/** The subcommands of npm, each with its other names. */
const NPM: readonly (readonly string[])[] = [
  wordList("install add i in ins inst insta instal isnt isnta isntal isntall"),
  wordList("uninstall unlink remove rm r un"),
  wordList("ci clean-install ic install-clean isntall-clean"),
  wordList("install-test it"),
  wordList("install-ci-test cit clean-install-test sit"),
  wordList("run run-script rum urn"),
  wordList("test tst t"),
  wordList("exec x"),
  wordList("update up upgrade udpate"),
  wordList("link ln"),
  wordList("config c"),
  wordList("set get"),
  wordList("owner author"),
  wordList("login adduser add-user"),
  wordList("init create innit"),
  wordList("rebuild rb"),
  wordList("dist-tag dist-tags"),
  wordList("version verison"),
  wordList("view v info show"),
  wordList("search find s se"),
  wordList("list ls la ll"),
  wordList("dedupe ddp"),
  wordList("docs home"),
  wordList("bugs issues"),
  wordList("explain why"),
  wordList("org ogr"),
  wordList("help hlep"),
  ...wordList("access audit cache completion deprecate diff doctor edit explore find-dupes fund").map(alone),
  ...wordList("help-search hook logout outdated pack ping pkg prefix profile prune publish query").map(alone),
  ...wordList("repo restart root sbom shrinkwrap star stars start stop team token undeprecate").map(alone),
  ...wordList("unpublish unstar whoami").map(alone),
];

function alone(name: string): readonly string[] {
  return [name];
}

/** Those of yarn that run no scripts and programs of others. */
const YARN: readonly (readonly string[])[] = [
  wordList("upgrade up"),
  ...wordList(
    "add audit autoclean bin cache check config constraints dedupe explain generate-lock-entry",
  ).map(alone),
  ...wordList("global help import info init install licenses link list login logout npm outdated owner").map(
    alone,
  ),
  ...wordList("pack patch patch-commit plugin policies prune publish rebuild remove restart run search").map(
    alone,
  ),
  ...wordList(
    "set stage start stop tag team test unlink unplug upgrade-interactive version versions why",
  ).map(alone),
];

const PNPM: readonly (readonly string[])[] = [
  ...NPM,
  ...wordList(
    "approve-builds cat-file cat-index deploy env fetch find-hash ignored-builds import licenses",
  ).map(alone),
  ...wordList("m multi patch patch-commit patch-remove recursive self-update server setup store").map(alone),
];

const DNF: readonly (readonly string[])[] = [
  wordList("install in localinstall"),
  wordList("remove rm erase"),
  wordList("upgrade up update"),
];

const SUBCOMMANDS: ReadonlyMap<string, readonly (readonly string[])[]> = new Map([
  ["npm", NPM],
  ["pnpm", PNPM],
  ["yarn", YARN],
  ["git", [wordList("add stage")]],
  ["helm", [wordList("uninstall un del delete"), wordList("list ls"), alone("install"), alone("upgrade")]],
  [
    "cargo",
    [wordList("build b"), wordList("check c"), wordList("run r"), wordList("test t"), wordList("doc d")],
  ],
  ["brew", [wordList("uninstall remove rm"), wordList("list ls"), wordList("install"), alone("upgrade")]],
  ...["dnf", "yum"].map((name) => [name, DNF] as const),
]);

/** What a program does when no subcommand is given. */
const DEFAULT: ReadonlyMap<string, string> = new Map([
  ["yarn", "install"],
  ["bundle", "install"],
]);

/** Options before a subcommand whose value is the next word. */
const VALUED = /^(?:-C|-F|--(?:dir|filter|filter-prod|cwd|loglevel|reporter|config-dir))$/;

/** Whether the first word beside the options surely is a subcommand. True when no such word stands there. */
export function isKnownSubcommand(program: string, words: readonly ShellWord[]): boolean {
  const given = words.find(
    ({ text }, at) => !text.startsWith("-") && !VALUED.test(words[at - 1]?.text ?? ""),
  );
  if (given === undefined) return words.every(({ isOpen }) => !isOpen);
  return !given.isOpen && SUBCOMMANDS.get(program)?.some((one) => one.includes(given.text)) === true;
}

/** Whether a program without a subcommand does what the wanted one does. */
export function isDefaultSubcommand(program: string, wanted: string | undefined): boolean {
  return wanted !== undefined && DEFAULT.get(program) === wanted;
}

/** Whether a program may take one subcommand for another: an alias, or the beginning of its name. */
export function mayBeSubcommand(program: string, given: string, wanted: string): boolean {
  const subcommands = SUBCOMMANDS.get(program);
  if (subcommands === undefined) return false;
  // npm takes `installTest` for `install-test`.
  const plain = given.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const names = subcommands.find((one) => one.includes(wanted)) ?? [];
  const isKnown = subcommands.some((one) => one.includes(plain));
  return names.some((name) => (isKnown ? name === plain : name.startsWith(plain)));
}
