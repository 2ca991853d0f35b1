import type { Program } from "./program.ts";
import { renderHelp } from "./render-help.ts";
import { VERSION } from "./version.ts";

/** What the arguments ask for. */
export type Arguments =
  | { readonly kind: "run"; readonly options: ReadonlySet<string> }
  | { readonly kind: "answer"; readonly text: string }
  | { readonly kind: "usage_error"; readonly text: string };

/** Exit code of a program that was called with unknown arguments. */
const USAGE_ERROR = 2;

/**
 * Reads the arguments of a program that environment variables configure. An unknown argument is an error, so
 * that a mistyped one does not start a server.
 */
export function readArguments(program: Program, args: readonly string[]): Arguments {
  const own = Object.keys(program.options ?? {});
  const unknown = args.find((arg) => !own.includes(arg) && !isHelp(arg) && arg !== "--version");
  if (unknown !== undefined) return { kind: "usage_error", text: usageError(program, unknown) };
  if (args.some(isHelp)) return { kind: "answer", text: renderHelp(program) };
  if (args.includes("--version")) return { kind: "answer", text: `${program.name} ${VERSION}\n` };
  return { kind: "run", options: new Set(args) };
}

/** Answers --help, --version and unknown arguments on the terminal, and then returns null. */
export function runOptions(program: Program): ReadonlySet<string> | null {
  const read = readArguments(program, process.argv.slice(2));
  switch (read.kind) {
    case "run":
      return read.options;
    case "answer":
      process.stdout.write(read.text);
      return null;
    case "usage_error":
      process.stderr.write(read.text);
      process.exitCode = USAGE_ERROR;
      return null;
  }
}

function isHelp(arg: string): boolean {
  return arg === "--help" || arg === "-h";
}

function usageError({ name, options = {}, helpCommand }: Program, unknown: string): string {
  const known = [...Object.keys(options), "--help", "--version"].join(", ");
  const found = JSON.stringify(unknown);
  const help = helpCommand ?? `${name} --help`;
  return `${name}: unknown argument ${found}: expected one of ${known}; ${help} lists the settings\n`;
}
