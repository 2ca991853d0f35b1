import { beginOfPaths } from "./begin-of-paths.ts";
import { commandLineOf } from "./command-line-of.ts";
import { commonName } from "./common-name.ts";
import { foldersOfGit } from "./folders-of-git.ts";
import { ASSIGNMENT, readBuiltin } from "./read-builtin.ts";
import { KEYWORDS, readShell } from "./read-shell.ts";
import { isBare, literalWord, type ShellWord } from "./shell-word.ts";
import { skipOptions } from "./skip-options.ts";
import { mayStartOthers, startsOthers } from "./starts-others.ts";
import { isSystemProgram } from "./system-program.ts";
import { SHELLS, SPECIAL_VARIABLE, WRAPPERS, type Wrapper } from "./wrapper-table.ts";

/** A command that a text names, with the words after its program. */
export interface NamedCommand {
  readonly program: string;
  /** The program without its folder. */
  readonly name: string;
  readonly words: readonly ShellWord[];
  /** Whether more words follow that are not known. */
  readonly isOpenEnded: boolean;
  /** Whether it only runs another command, which is named as well. */
  readonly isTransparent: boolean;
  /** Whether it may run programs that are not named here. */
  readonly startsOthers: boolean;
  /** Whether it is a shell that reads its commands from a script or its input. */
  readonly readsScript: boolean;
}

/** What a text or a list of arguments runs. */
export interface CommandReading {
  readonly commands: readonly NamedCommand[];
  /** Variables that are assigned to. */
  readonly assigned: readonly string[];
  readonly redirects: boolean;
  /** What could not be read surely, the first if there are several. Commands may then be missing. */
  readonly doubt: string | null;
}

/** Most programs and command lines within each other. */
const MAX_NESTING = 8;

/** No character that any shell treats as special. */
const PROGRAM = /^(?:[A-Za-z0-9_@+.:/][A-Za-z0-9_@+.,:/-]*|\[)$/;

/** Builtins that set variables without an assignment. */
const SETTING: ReadonlySet<string> = new Set(["read", "mapfile", "readarray", "getopts"]);

/** What find runs follows, unless it is the value of a test before. */
const FIND_RUNS = /^-(?:exec|ok)(?:dir)?$/;

/** Reads a command line as a shell does. */
export function readCommandText(text: string): CommandReading {
  const reading = new CommandReader();
  reading.readText(text, 0);
  return reading.result();
}

/** Reads a program and its arguments, which no shell reads. */
export function readArgumentList(items: readonly string[]): CommandReading {
  const reading = new CommandReader();
  reading.readArguments(items);
  return reading.result();
}

/** Reads words that another command may run as a program and its arguments. */
export function readInnerCommand({ words, isOpenEnded }: Wrapped): CommandReading {
  const reading = new CommandReader();
  reading.readInner(words, isOpenEnded);
  return reading.result();
}

interface Wrapped {
  readonly words: readonly ShellWord[];
  readonly isOpenEnded: boolean;
}

interface Depth {
  readonly depth: number;
  readonly isOpenEnded: boolean;
}

class CommandReader {
  readonly #commands: NamedCommand[] = [];
  readonly #assigned: string[] = [];
  #redirects = false;
  #doubt: string | null = null;

  result(): CommandReading {
    // Its rules run what variables name.
    const setsVariables = this.#assigned.length > 0 || this.#commands.some(({ name }) => SETTING.has(name));
    if (setsVariables && this.#commands.some(({ name }) => /^g?make$/.test(name)))
      this.#doubtThat("a variable beside make");
    return {
      commands: this.#commands,
      assigned: this.#assigned,
      redirects: this.#redirects,
      doubt: this.#doubt,
    };
  }

  readArguments(items: readonly string[]): void {
    if (items.some((item) => item.includes("\0"))) this.#doubtThat("a NUL character");
    this.#readProgram(items.map(literalWord), { depth: 0, isOpenEnded: false });
  }

  readInner(words: readonly ShellWord[], isOpenEnded: boolean): void {
    this.#readProgram(words, { depth: 0, isOpenEnded });
  }

  readText(source: string, depth: number): void {
    const read = readShell(source);
    if (read.kind === "unread") {
      this.#doubtThat(read.because);
      return;
    }
    this.#redirects ||= read.redirects;
    for (const name of read.loopVariables) this.#assign(name);
    for (const words of read.commands) this.#readSimple(words, depth);
  }

  #doubtThat(because: string): void {
    this.#doubt ??= because;
  }

  /** @param word with the value; arithmetic and prompts run the substitutions in it. */
  #assign(name: string, word?: ShellWord): void {
    this.#assigned.push(name);
    // dash takes it for a program.
    if (word !== undefined && /^\w+\+=/.test(word.text)) this.#doubtThat("an assignment that adds");
    if (word !== undefined && /[$`]/.test(word.text)) this.#doubtThat("a value that the shell may evaluate");
    if (SPECIAL_VARIABLE.test(name)) this.#doubtThat("a variable that changes what runs");
  }

  /** `NAME=value` before the program, then the program. */
  #readSimple(words: readonly ShellWord[], depth: number): void {
    let at = 0;
    for (let name = bareAssignment(words[at]); name !== null; name = bareAssignment(words[at])) {
      this.#assign(name, words[at]);
      at += 1;
    }
    if (at < words.length) this.#readProgram(words.slice(at), { depth, isOpenEnded: false });
  }

  #readProgram([program, ...words]: readonly ShellWord[], { depth, isOpenEnded }: Depth): void {
    if (program === undefined) return this.#doubtThat("a program that is not named");
    if (program.isOpen || !PROGRAM.test(program.text))
      return this.#doubtThat("a program whose name is not plain");
    if (depth > MAX_NESTING) return this.#doubtThat("too many commands within each other");
    const name = program.text.slice(program.text.lastIndexOf("/") + 1);
    const isSystem = isSystemProgram(program.text);
    const wrapper = WRAPPERS.get(name);
    const isShell = SHELLS.has(name);
    const command = { program: program.text, name, words, isOpenEnded };
    const inner: Depth = { depth: depth + 1, isOpenEnded };
    if (name === "") this.#doubtThat("a program whose name is not plain");
    if (isSpelledOtherwise(name)) this.#doubtThat("a program that may be one that runs others");
    if (wrapper !== undefined) {
      const wrapped = this.#wrapped(words, wrapper, isOpenEnded);
      const isTransparent = isSystem && !wrapper.mustBeListed && wrapped !== null;
      this.#commands.push({ ...command, isTransparent, startsOthers: false, readsScript: false });
      if (wrapped !== null)
        this.#readProgram(wrapped.words, { depth: depth + 1, isOpenEnded: wrapped.isOpenEnded });
    } else if (isShell) this.#readShellCall(command, isSystem, inner);
    else {
      this.#commands.push({
        ...command,
        isTransparent: false,
        startsOthers:
          startsOthers(commonName(name), words) || (isOpenEnded && mayStartOthers(commonName(name))),
        readsScript: false,
      });
      if (name === "find") this.#readFind(words, { depth, isOpenEnded });
      if (name === "git") for (const folder of foldersOfGit(words)) this.#changeFolder(folder);
      readBuiltin(name, words, {
        assign: (variable, word) => this.#assign(variable, word),
        doubt: (because) => this.#doubtThat(because),
      });
    }
  }

  /**
   * What a wrapper runs: what stands after its options, its own words and assignments.
   * @returns null when it runs nothing, or nothing that can be read.
   */
  #wrapped(words: readonly ShellWord[], wrapper: Wrapper, isOpenEnded: boolean): Wrapped | null {
    const options = skipOptions(words, wrapper);
    if (options === null) return this.#notWrapped("an option of a program that runs another");
    if (options.isSilent) return null;
    this.#redirects ||= wrapper.writesFile;
    for (const folder of options.folders) this.#changeFolder(folder);
    for (const name of options.variables) this.#assign(name);
    let at = options.at + wrapper.operands;
    if (words.slice(options.at, at).some(({ isOpen }) => isOpen))
      return this.#notWrapped("a variable before the program that is run");
    if (wrapper.assigns) {
      for (let name = assignment(words[at]); name !== null; name = assignment(words[at])) {
        this.#assign(name, words[at]);
        at += 1;
      }
    }
    const rest = replaced(words.slice(at), options.replace);
    const [program] = rest;
    if (program === undefined) return isOpenEnded ? this.#notWrapped("a program that is not named") : null;
    if (isBare(program) && KEYWORDS.has(program.text))
      return this.#notWrapped("a keyword after a program that runs another");
    return { words: rest, isOpenEnded: isOpenEnded || (wrapper.appends && options.replace === null) };
  }

  /** A program that runs in another folder reads other files there, as after `cd`. */
  #changeFolder(folder: ShellWord): void {
    const cd = { program: "cd", name: "cd", words: [folder], isOpenEnded: false };
    this.#commands.push({ ...cd, isTransparent: false, startsOthers: false, readsScript: false });
  }

  #notWrapped(because: string): null {
    this.#doubtThat(because);
    return null;
  }

  #readShellCall(
    command: Omit<NamedCommand, "isTransparent" | "startsOthers" | "readsScript">,
    isSystem: boolean,
    { depth }: Depth,
  ): void {
    const text = commandLineOf(command.words);
    this.#commands.push({
      ...command,
      isTransparent: text !== null && isSystem,
      startsOthers: text === null,
      readsScript: text === null,
    });
    if (text !== null) this.readText(text, depth);
  }

  /** `-exec` and its kin run what stands up to `;` or `+`. */
  #readFind(words: readonly ShellWord[], { depth, isOpenEnded }: Depth): void {
    if (isOpenEnded) this.#doubtThat("words of find that are not known");
    const begin = beginOfPaths(words);
    let start: number | null = null;
    for (const [at, word] of words.entries()) {
      if (start === null) {
        if (word.mayBeOption) this.#doubtThat("a variable among the arguments of find");
        if (FIND_RUNS.test(word.text)) start = at + 1;
      } else if (word.text === ";" || (word.text === "+" && words[at - 1]?.text === "{}")) {
        const isPath = begin !== null && words[start - 1]?.text.endsWith("dir") !== true;
        const rest = replaced(words.slice(start, at), "{}", isPath ? begin : "");
        if (rest.some(({ text }) => FIND_RUNS.test(text)))
          this.#doubtThat("a command of find inside another");
        this.#readProgram(rest, { depth: depth + 1, isOpenEnded: word.text === "+" && !isPath });
        start = null;
      }
    }
    if (start !== null) this.#doubtThat("a command of find that does not end");
  }
}

/** `ENV` and `env.exe` are `env` to some systems. */
function isSpelledOtherwise(name: string): boolean {
  const common = commonName(name);
  return common !== name && (common === "find" || WRAPPERS.has(common) || SHELLS.has(common));
}

function bareAssignment(word: ShellWord | undefined): string | null {
  const [prefix = "", name = null] = word === undefined ? [] : (ASSIGNMENT.exec(word.text) ?? []);
  return word !== undefined && prefix.length <= word.bareLength ? name : null;
}

function assignment(word: ShellWord | undefined): string | null {
  return word === undefined ? null : (ASSIGNMENT.exec(word.text)?.[1] ?? null);
}

/**
 * What replaces a mark is not known before it runs.
 * @param begin what the replacement begins with, `""` if that is not known
 */
function replaced(words: readonly ShellWord[], mark: string | null, begin = ""): readonly ShellWord[] {
  if (mark === null) return words;
  return words.map((word) => {
    const at = mark === "" ? 0 : word.text.indexOf(mark);
    if (at === -1) return word;
    const text = word.text.slice(0, at) + begin;
    return { ...word, text, isOpen: true, mayBeOption: text === "" || text.startsWith("-") };
  });
}
