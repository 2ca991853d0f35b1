import { execFileSync } from "node:child_process";
import { networkInterfaces } from "node:os";
import { type DatabaseLink, type LinkWay, startDatabaseLink } from "@svc/store/testing/database-link";

/** Where the packets of one way carry the address of the link. */
const FLAG: Readonly<Record<LinkWay, "--destination" | "--source">> = {
  "to database": "--destination",
  "from database": "--source",
};

/** @throws outside a network namespace of its own, where the rules would be those of the machine */
function requireOwnNamespace(): void {
  if (Object.keys(networkInterfaces()).every((name) => name === "lo")) return;
  throw new Error("expected a network namespace of its own; run npm run faults:network");
}

/**
 * A link whose packets the kernel drops when it is frozen, so that TCP sends them again and at last gives up,
 * as on a broken network. It changes the packet filter, so it is for a network namespace of its own alone.
 * @param number tells the links of a namespace apart
 */
export async function startDroppingLink(databaseUrl: string, number: number): Promise<DatabaseLink> {
  requireOwnNamespace();
  const address = `127.0.1.${String(number)}`;
  const link = await startDatabaseLink(databaseUrl, address);
  const dropped = new Set<LinkWay>();
  const filter = (command: "--append" | "--delete", way: LinkWay): void => {
    execFileSync("iptables", ["--wait", command, "OUTPUT", FLAG[way], address, "--jump", "DROP"]);
  };
  const mend = async (): Promise<void> => {
    for (const way of dropped) filter("--delete", way);
    dropped.clear();
    await link.mend();
  };
  return {
    ...link,
    freeze: (ways = ["to database", "from database"]) => {
      for (const way of ways.filter((each) => !dropped.has(each))) {
        filter("--append", way);
        dropped.add(way);
      }
    },
    mend,
    close: async () => {
      await mend();
      await link.close();
    },
  };
}
