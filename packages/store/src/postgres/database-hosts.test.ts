import { describe, expect, it } from "vitest";
import { databaseHosts, hostName } from "./database-hosts.ts";

describe("the hosts of a PostgreSQL address", () => {
  it.each([
    ["postgres://a/svc", ["postgres://a/svc"]],
    [
      "postgres://svc:p%40ss@a:5432,b:5433,[::1]:5434/svc?application_name=x",
      [
        "postgres://svc:p%40ss@a:5432/svc?application_name=x",
        "postgres://svc:p%40ss@b:5433/svc?application_name=x",
        "postgres://svc:p%40ss@[::1]:5434/svc?application_name=x",
      ],
    ],
    [
      "postgresql://svc@localhost/svc?host=%2Frun&port=1",
      ["postgresql://svc@localhost/svc?host=%2Frun&port=1"],
    ],
    [
      "postgres://a,b/svc?sslmode=require",
      ["postgres://a/svc?sslmode=require", "postgres://b/svc?sslmode=require"],
    ],
  ])("are those of %s", (url, hosts) => {
    expect(databaseHosts(url)).toEqual(hosts);
  });

  it.each([
    "mysql://a/svc",
    "a/svc",
    "postgres://a,/svc",
    "postgres://,b/svc",
    "postgres://a:70000/svc",
    "postgres://a/svc?sslmode=prefer",
    "postgres://a/svc?sslmode=allow",
    "postgres://a/svc?sslmode=no-verify",
    "postgres://a/svc?sslmode=verify-ca",
    "postgres://a/svc?sslmode=verify-full&sslmode=disable",
    "postgres://a/svc?sslrootcert=/ca.pem",
    "postgres://a/svc?sslmode=verify-full&sslcert=/client.pem",
    "postgres://a/svc?host=a,b",
    // Each of these would be ignored, or would replace a limit.
    "postgres://a/svc?sslmode=verify-full&sslcrl=/crl.pem",
    "postgres://a/svc?sslmode=require&channel_binding=require",
    "postgres://a/svc?ssl=no-verify",
    "postgres://a/svc?sslmode=verify-full&uselibpqcompat=false",
    "postgres://a/svc?statement_timeout=0",
    "postgres://a/svc?password=secret",
  ])("refuse %s", (url) => {
    expect(() => databaseHosts(url)).toThrow(/^a postgres:\/\/ address/);
  });

  it("are named without user and password", () => {
    expect(hostName("postgres://svc:secret@a:5433/svc")).toBe("a:5433");
    expect(hostName("postgres://svc:secret@localhost/svc?host=%2Frun&port=1")).toBe("/run:1");
  });
});
