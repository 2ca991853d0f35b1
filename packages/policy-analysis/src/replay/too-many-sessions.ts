/** More sessions than a replay can keep. The caller gives the replay up. */
export class TooManySessions extends Error {
  override readonly name = "TooManySessions";
}
