import type { Peer } from "./peer.ts";

type Say = (line: string) => void;

/** Peers of a folder of their own that are installed at a time: while one downloads, another unpacks. */
const AT_ONCE = 3;

/**
 * Installs the peers that are not there: first those of the machine, one after another, then the others, some
 * at a time. Announces each with size and purpose, and says why one failed.
 */
export async function ensurePeers(peers: readonly Peer[], say: Say): Promise<void> {
  const absent = peers.filter((peer) => !peer.isPresent());
  for (const peer of absent.filter(({ isOfMachine }) => isOfMachine)) await installPeer(peer, say);
  const others = absent.filter(({ isOfMachine }) => !isOfMachine);
  const installOthers = async (): Promise<void> => {
    for (let peer = others.shift(); peer !== undefined; peer = others.shift()) await installPeer(peer, say);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, installOthers));
}

async function installPeer(peer: Peer, say: Say): Promise<void> {
  const obstacle = peer.obstacle();
  if (obstacle !== null) return say(`${peer.name}: ${withoutIt(obstacle)}`);
  say(`${peer.name}: downloading ${String(peer.downloadMb)} MB, ${peer.purpose} ...`);
  const started = performance.now();
  try {
    await peer.install();
    say(`${peer.name}: installed in ${((performance.now() - started) / 1_000).toFixed(0)} s`);
  } catch (error) {
    say(`${peer.name}: ${withoutIt(error instanceof Error ? error.message : String(error))}`);
  }
}

function withoutIt(reason: string): string {
  return `not installed, and tests that need it cannot run: ${reason}`;
}
