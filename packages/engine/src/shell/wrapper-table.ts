import { wordList } from "../word-list.ts";
/** A program that runs the program named in its arguments. */
export interface Wrapper {
  /** Options without a value. */
  readonly flags: readonly string[];
  /** Options whose value is the next word, the rest of the word, or stands after `=`. */
  readonly valued: readonly string[];
  /** Options whose value, if there is one, is the rest of the word or stands after `=`. */
  readonly attached: readonly string[];
  /** Those of them whose value is the folder in which the program then runs. */
  readonly folders: readonly string[];
  /** Those whose value is the name of a variable. */
  readonly variables: readonly string[];
  /** Whether it may write a file that no word names. */
  readonly writesFile: boolean;
  /** How many words stand between the options and the program. */
  readonly operands: number;
  /** Whether `NAME=value` may stand before the program. */
  readonly assigns: boolean;
  /** Whether `runs_only` must list it too: it gives the program other rights. */
  readonly mustBeListed: boolean;
  /** Whether it appends words that are not known. */
  readonly appends: boolean;
  /** Options with which it runs nothing. */
  readonly silent: readonly string[];
}

function wrapper(parts: Partial<Wrapper>): Wrapper {
  return {
    flags: [],
    valued: [],
    attached: [],
    folders: [],
    variables: [],
    writesFile: false,
    operands: 0,
    assigns: false,
    mustBeListed: false,
    appends: false,
    silent: [],
    ...parts,
  };
}

/** An option that is not listed makes the command unsure. */
export const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map([
  ["builtin", wrapper({})],
  ["busybox", wrapper({})],
  ["caffeinate", wrapper({ flags: ["-d", "-i", "-m", "-s", "-u"], valued: ["-t"] })],
  ["command", wrapper({ flags: ["-p"], silent: ["-v", "-V"] })],
  ["doas", wrapper({ flags: ["-n"], valued: ["-u"], mustBeListed: true })],
  [
    "env",
    wrapper({
      flags: ["-", "-i", "-0", "-v", "--ignore-environment", "--null", "--debug"],
      valued: ["-u", "-C", "--unset", "--chdir"],
      folders: ["-C", "--chdir"],
      variables: ["-u", "--unset"],
      assigns: true,
    }),
  ],
  ["exec", wrapper({ flags: ["-c", "-l"] })],
  ["ionice", wrapper({ flags: ["-t", "--ignore"], valued: ["-c", "-n", "--class", "--classdata"] })],
  ["nice", wrapper({ valued: ["-n", "--adjustment"] })],
  ["nocorrect", wrapper({})],
  ["noglob", wrapper({})],
  ["nohup", wrapper({ writesFile: true })],
  ["setsid", wrapper({ flags: ["-c", "-f", "-w", "--ctty", "--fork", "--wait"] })],
  ["stdbuf", wrapper({ valued: ["-i", "-o", "-e", "--input", "--output", "--error"] })],
  [
    "sudo",
    wrapper({
      flags: [
        ...wordList("-A -b -E -H -k -n -P -S"),
        ...wordList("--askpass --background --preserve-env --set-home --reset-timestamp"),
        ...wordList("--non-interactive --preserve-groups --stdin"),
      ],
      valued: ["-u", "-g", "-p", "-C", "-D", "-h", "-R", "-T", "--user", "--group", "--prompt", "--chdir"],
      folders: ["-D", "--chdir"],
      assigns: true,
      mustBeListed: true,
    }),
  ],
  ["time", wrapper({ flags: ["-p"], assigns: true })],
  [
    "timeout",
    wrapper({
      flags: ["--foreground", "--preserve-status", "-v", "--verbose"],
      valued: ["-s", "-k", "--signal", "--kill-after"],
      operands: 1,
    }),
  ],
  ["toybox", wrapper({})],
  [
    "xargs",
    wrapper({
      flags: [
        "-0",
        "-r",
        "-t",
        "-p",
        "-x",
        "-o",
        "--null",
        "--no-run-if-empty",
        "--verbose",
        "--interactive",
      ],
      valued: [
        ...wordList("-n -L -P -I -d -s -a -E --max-args --max-procs"),
        ...wordList("--delimiter --max-chars --arg-file"),
      ],
      attached: ["-i", "-l", "--replace", "--max-lines"],
      appends: true,
    }),
  ],
]);

/** Shells whose command line `-c` is read as one more text. */
export const SHELLS: ReadonlySet<string> = new Set(
  wordList("sh bash dash zsh ksh ksh93 mksh lksh oksh pdksh posh yash ash rbash"),
);

/** Builtins and commands that change what later text means, or run text that is not read. */
export const UNREAD_COMMANDS: ReadonlySet<string> = new Set([
  ...wordList("eval source . alias unalias trap enable hash bind complete compgen"),
  ...wordList("compopt fc history shopt emulate autoload zmodload sched setopt unsetopt"),
  ...wordList("and or not begin - setarch rehash disable functions abbr integer float zstyle zformat"),
  ...wordList("zparseopts zregexparse nameref private"),
]);

/** Builtins that evaluate some of their arguments as arithmetic, or assign to the variables these name. */
export const ASSIGNING_BUILTINS: ReadonlySet<string> = new Set([
  ...wordList("declare typeset local readonly export read printf mapfile readarray let"),
  ...wordList("getopts unset wait test [ integer float setenv print vared exit return shift break continue"),
]);

/** Variables that change which programs run, or that a shell runs or reads as code. */
export const SPECIAL_VARIABLE =
  /^(?:PATH|path|IFS|S?RANDOM|SECONDS|OPTIND|HISTCMD|HISTSIZE|SAVEHIST|TRY_BLOCK_.*|FUNCNEST|E?[UG]ID|KEYTIMEOUT|SHLVL|LISTMAX|MAILCHECK|EPOCH.*|LINENO|COLUMNS|LINES|PS[0-4]|ENV|HOME|ZDOTDIR|SHELLOPTS|BASHOPTS|BASH_.*|PROMPT_COMMAND|LD_.*|DYLD_.*|CDPATH|FPATH|fpath|GIT_.*|SHELL|EXECIGNORE|NULLCMD|READNULLCMD|PERL5.*|PYTHON.*|RUBYOPT|RUBYLIB|PERLLIB|LUA_INIT.*|NODE_PATH|MANOPT|RSYNC_CONNECT_PROG|KUBECTL_EXTERNAL_DIFF|SVN_SSH|XDG_CONFIG_HOME|(?:npm|NPM)_(?:config|CONFIG)_.*|RUSTC(?:_WORKSPACE)?(?:_WRAPPER)?|CARGO_.*|GOFLAGS|CLASSPATH|GCONV_PATH|OPENSSL_CONF|KUBECONFIG|AWS_(?:CONFIG|SHARED_CREDENTIALS)_FILE|DOCKER_CONFIG|RIPGREP_CONFIG_PATH|(?:SYSTEM_)?WGETRC|ZIPOPT|ZIP|CVS_RSH|TF_CLI_.*|HELM_PLUGINS|CLOUDSDK_PYTHON|PHPRC|PHP_INI_SCAN_DIR|R_PROFILE.*|BUNDLE_GEMFILE|GEM_.*|COREPACK_.*|YARN_.*|LESS.*|RSYNC_RSH|MAKEFLAGS|.*_OPTIONS|.*_OPTS|.*_COMMAND|.*_ASKPASS|.*PAGER|.*EDITOR|VISUAL|BROWSER)$/;
