import { DatabaseError } from "pg";
import { describe, expect, it } from "vitest";
import { explainRefusal } from "./explain-refusal.ts";

const explained = (message: string, code: string | null, parameters = ""): string =>
  String(
    explainRefusal(
      Object.assign(new Error(message), code === null ? {} : { code }),
      `postgres://svc@db-1:5432/svc${parameters}`,
    ),
  );

describe("what is said of a connection that is refused", () => {
  it("is how to write a password, where the address holds none", () => {
    for (const kind of ["string", "non-empty string"])
      expect(explained(`SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a ${kind}`, null)).toBe(
        "Error: db-1:5432: it asks for a password, and the address holds none. " +
          "Write it as postgres://user:password@host",
      );
  });

  it("is our own way to trust a certificate, and not that of Node.js", () => {
    const message = "self-signed certificate; try running Node.js with --use-system-ca";
    const mode = "?sslmode=verify-full";
    expect(explained(message, "DEPTH_ZERO_SELF_SIGNED_CERT", mode)).toBe(
      "Error: db-1:5432: its certificate is not trusted (self-signed certificate). " +
        "Set sslrootcert to the PEM file of the authority that signed it",
    );
    expect(explained(message, "DEPTH_ZERO_SELF_SIGNED_CERT", `${mode}&sslrootcert=/ca.pem`)).toContain(
      "Write the certificate of the authority that signed it into the file of sslrootcert",
    );
  });

  it.each([
    ["28P01", 'password authentication failed for user "svc"', "Correct the user or the password"],
    ["28000", 'role "svc" does not exist', "Correct the user or the password"],
    ["3D000", 'database "svc" does not exist', "Create it, or correct the name"],
  ])("is the host, the server's words and the fix for %s", (code, message, fix) => {
    const error = Object.assign(new DatabaseError(message, message.length, "error"), { code });
    const said = String(explainRefusal(error, "postgres://svc@db-1:5432/svc"));
    expect(said).toBe(`Error: db-1:5432: ${message}. ${fix} in the address`);
  });

  it("is the fault itself where nothing is known of it", () => {
    expect(explained("something else", null)).toBe("Error: something else");
  });
});
