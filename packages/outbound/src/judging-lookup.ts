import type { LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";
import { DestinationRefusedError } from "./judge-destination.ts";

/** Finds every address of a host, as `node:dns` does. */
export type Resolve = (
  host: string,
  options: { readonly all: true },
  done: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

/** Addresses of one name that are tried, as count: a name must not make one request into many connections. */
const MAX_ADDRESSES = 4;

/** One address that is refused refuses the name: which of them is used is not for the name to choose. */
export function judgingLookup(
  resolve: Resolve,
  refusalOf: (address: string) => string | null,
): LookupFunction {
  return (host, options, done) =>
    resolve(host, { all: true }, (error, addresses) => {
      if (error !== null) return done(error, []);
      const first = addresses[0];
      if (first === undefined) return done(new Error(`${host} has no address`), []);
      for (const { address } of addresses) {
        const refusal = refusalOf(address);
        if (refusal !== null) return done(new DestinationRefusedError(refusal), []);
      }
      if (options.all === true) done(null, addresses.slice(0, MAX_ADDRESSES));
      else done(null, first.address, first.family);
    });
}
