// peers: postgres
// long: it starts a PostgreSQL of its own and several servers
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describePostgres } from "@svc/store/testing/describe-postgres-suite";
import { startPostgresServer } from "@svc/store/testing/postgres-server";
import { expect, it, onTestFinished } from "vitest";
import { temporaryDirectory } from "../support/processes/temporary-directory.ts";
import { createPolicy, execute, send } from "../support/server/api.ts";
import { serverOfTest } from "../support/server/server-process.ts";

/** The superuser of the test asks without a password, everybody else with one. */
const ACCESS = ["local all svc trust", "local all all scram-sha-256"];

describePostgres("the password of the database", () => {
  // proves OPS-62
  it("is read from its file at the start: a new one needs a restart, and no call fails open", async () => {
    const postgres = await startPostgresServer({ access: ACCESS });
    onTestFinished(() => postgres.stop());
    await postgres.query("CREATE ROLE app LOGIN PASSWORD 'first'");
    await postgres.query("CREATE DATABASE app OWNER app");
    const file = join(await temporaryDirectory(), "database-url");
    const write = (password: string) =>
      writeFile(file, `${postgres.urlOf("app").replace("//svc@", `//app:${password}@`)}\n`);
    const options = { dataDir: await temporaryDirectory(), env: { SVC_DATABASE_URL_FILE: file } };
    await write("first");
    const server = await serverOfTest(options);
    expect((await createPolicy(server.url)).status).toBe(201);
    expect((await execute(server.url)).body["decision"]).toBe("allow");

    await postgres.query("ALTER ROLE app PASSWORD 'second'");
    await write("second");
    expect((await execute(server.url)).body["decision"]).toBe("allow");
    await postgres.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'app' AND datname = 'app'",
    );
    await expect.poll(async () => (await send("GET", `${server.url}/readyz`)).status).toBe(503);
    expect((await execute(server.url)).body).toMatchObject({ decision: "deny", fail_closed: true });
    await server.stop("SIGTERM");

    const next = await serverOfTest(options);
    expect((await execute(next.url)).body["decision"]).toBe("allow");
    expect(next.output()).not.toContain("second");

    await write("wrong");
    await next.stop("SIGTERM");
    await expect(serverOfTest(options)).rejects.toThrow(/password authentication failed for user "app"/);
    await writeFile(file, postgres.urlOf("app").replace("//svc@", "//app@"));
    await expect(serverOfTest(options)).rejects.toThrow(/it asks for a password, and the address holds none/);
  }, 120_000);
});
