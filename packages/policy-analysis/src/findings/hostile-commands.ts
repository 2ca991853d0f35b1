/** A command line that begins with a known command and runs another one. */
export function withAnotherCommand(command: string): readonly string[] {
  return [
    `${command}; rm -rf /`,
    `${command} && rm -rf /`,
    `${command} $(rm -rf /)`,
    `rm -rf / # ${command}`,
  ];
}

/** The same command as shells run it, in another spelling. */
export function otherSpellings(command: string): readonly string[] {
  const [program = "", ...rest] = command.split(" ");
  return [
    `cd x && ${command}`,
    `/usr/bin/${command}`,
    [program, ...rest].join("  "),
    [`${program.slice(0, 1)}\\${program.slice(1)}`, ...rest].join(" "),
    `true; ${command}`,
  ];
}

const NAMES: ReadonlySet<string> = new Set([
  "bash",
  "cmd",
  "command",
  "command_line",
  "commandline",
  "commands",
  "script",
  "sh",
  "shell",
  "shell_command",
]);

/** Whether a field is called as a command line is. */
export function namesCommand(name: string): boolean {
  return NAMES.has(name);
}
