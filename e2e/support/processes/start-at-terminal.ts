import { onTestFinished } from "vitest";
import { type RunningProcess, type StartOptions, startProcess } from "./child-process.ts";

/** Runs a program at a terminal of its own, and passes the signal that ends it on. */
const PTY = `
import os, pty, signal, sys
child, terminal = pty.fork()
if child == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
for each in (signal.SIGTERM, signal.SIGINT):
    signal.signal(each, lambda given, _: os.kill(child, given))
while True:
    try:
        shown = os.read(terminal, 65536)
    except OSError:
        break
    if not shown:
        break
    os.write(1, shown)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
`;

/** Starts a program for one test as a person at a terminal would. Needs python3. */
export async function startAtTerminal(
  command: readonly string[],
  options: StartOptions,
): Promise<RunningProcess> {
  const running = await startProcess("python3", ["-c", PTY, ...command], options);
  // The program ends with its terminal, also when this process is killed.
  onTestFinished(async () => void (await running.stop("SIGTERM")));
  return running;
}
