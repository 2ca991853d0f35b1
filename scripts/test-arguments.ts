import type { PeerChoice } from "./peers/peer.ts";

export interface TestArguments {
  readonly peers: PeerChoice;
  /** Everything else, as it came. */
  readonly forVitest: readonly string[];
}

const CHOICES: readonly string[] = ["none", "small", "all"] satisfies readonly PeerChoice[];

/** Reads `--peers none|small|all` out of the arguments of npm test. @throws with what was expected */
export function parseTestArguments(args: readonly string[], inCi: boolean): TestArguments {
  let peers: PeerChoice = inCi ? "all" : "small";
  const forVitest: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? "";
    if (arg === "--peers") peers = readChoice(args[(at += 1)]);
    else if (arg.startsWith("--peers=")) peers = readChoice(arg.slice("--peers=".length));
    else forVitest.push(arg);
  }
  return { peers, forVitest };
}

function readChoice(value: string | undefined): PeerChoice {
  if (value !== undefined && CHOICES.includes(value)) return value as PeerChoice;
  const found = value === undefined ? "nothing" : JSON.stringify(value);
  throw new Error(`--peers: expected none, small or all, found ${found}`);
}
