import { wordList } from "../word-list.ts";

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

const SUBCOMMANDS: ReadonlyMap<string, readonly (readonly string[])[]> = new Map([
  ["npm", NPM],
  ["pnpm", NPM],
]);

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
