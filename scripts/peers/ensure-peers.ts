import type { Peer } from "./peer.ts";

type Say = (line: string) => void;

/** Installs the peers that are not there. Announces each with size and purpose, and says why one failed. */
export async function ensurePeers(peers: readonly Peer[], say: Say): Promise<void> {
  for (const peer of peers) {
    if (!peer.isPresent()) await installPeer(peer, say);
  }
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
