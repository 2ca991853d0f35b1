/** A program that tests run beside ours, and that a checkout does not bring. */
export interface Peer {
  /** As test files name it in their line `// peers:`. */
  readonly name: string;
  /** What the tests need it for: printed before it is fetched. */
  readonly purpose: string;
  /** What an empty machine downloads (Debian 12, x64), in megabytes of 10^6 bytes. */
  readonly downloadMb: number;
  /** Whether its installation changes the machine, which has one package manager. */
  readonly isOfMachine?: boolean;
  /** Whether tests find it. A peer that another checkout of this user installed gets its link here. */
  isPresent(): boolean;
  /** Why it cannot be installed on this machine; null: it can. */
  obstacle(): string | null;
  /** Puts it where tests look for it. @throws with what went wrong */
  install(): Promise<void>;
}

/** Which peers take part in a run of the tests. */
export type PeerChoice = "none" | "small" | "all";

/** Largest download of a peer that counts as small, in megabytes: under a minute on 10 Mbit/s. */
export const SMALL_DOWNLOAD_MB = 60;

export function isChosen({ downloadMb }: Pick<Peer, "downloadMb">, choice: PeerChoice): boolean {
  return choice === "all" || (choice === "small" && downloadMb <= SMALL_DOWNLOAD_MB);
}
