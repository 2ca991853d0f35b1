import { findFreePort } from "@svc/process/free-port";
import { expect, it, onTestFinished } from "vitest";
import { startProcess } from "../support/processes/child-process.ts";
import { makeTemporaryDirectory } from "../support/processes/temporary-directory.ts";
import { createPolicy, execute } from "../support/server/api.ts";
import { BOOTSTRAP_ENV } from "../support/server/api-keys.ts";
import { fetchWithKey, rememberServer } from "../support/server/role-keys.ts";
import { SERVER_ENTRY } from "../support/server/server-process.ts";

const POLICY = "id: p\nagent_id: a\ntools: { allowed: [t] }\n";

// proves OPS-39
it("a log that cannot be written neither stops the server nor prevents it from stopping", async () => {
  const directory = await makeTemporaryDirectory();
  const port = await findFreePort();
  const server = await startProcess(
    "sh",
    ["-c", 'exec "$0" "$1" > /dev/full', process.execPath, SERVER_ENTRY],
    {
      env: {
        SVC_LISTEN: `127.0.0.1:${String(port)}`,
        ...BOOTSTRAP_ENV,
        SVC_DATA_DIR: directory.path,
        SVC_LOG_LEVEL: "debug",
      },
      ready: { port },
    },
  );
  onTestFinished(async () => {
    await server.stop("SIGKILL");
    await directory.remove();
  });
  const url = `http://127.0.0.1:${String(port)}`;
  rememberServer({ url, store: directory.path, callers: "agent", makesKeys: true });
  expect((await createPolicy(url, POLICY)).status).toBe(201);
  for (let refused = 0; refused < 50; refused += 1)
    expect((await fetchWithKey(`${url}/v1/nowhere`)).status).toBe(404);
  expect((await execute(url, { agent_id: "a", tool: "t" })).body).toMatchObject({ decision: "allow" });
  expect(await server.stop("SIGTERM")).toBe(0);
});
