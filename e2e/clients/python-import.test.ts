// peers: python3
import { join } from "node:path";
import { expect, it } from "vitest";
import { missing } from "../support/processes/missing-peers.ts";
import { runProgram } from "../support/processes/run-program.ts";

const SOURCE = join(import.meta.dirname, "..", "..", "clients", "python", "src");

/** Modules that take longer to import than all of the client does: each waits for its first use. */
const SLOW = ["asyncio", "ssl", "http.client", "urllib.request"];

const LOADED = `
import json, sys
import svc_client
print(json.dumps([name for name in json.loads(sys.argv[1]) if name in sys.modules]))
`;

// skip: the peer is not installed; continuous integration has it and fails without.
it.skipIf(missing.python3)("importing the Python client imports nothing that takes long", async () => {
  const args = ["-c", LOADED, JSON.stringify(SLOW)];
  const { stdout } = await runProgram("python3", args, { PYTHONPATH: SOURCE });
  expect(JSON.parse(stdout)).toEqual([]);
});
