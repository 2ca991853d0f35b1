// peers: go
// long: it compiles the code of the page with the libraries of Standard Webhooks

import { mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { findProgram } from "@svc/process/find-program";
import { expect, it } from "vitest";
import { missing } from "../support/processes/missing-peers.ts";
import { programOf } from "../support/processes/peer-programs.ts";
import { runProgram } from "../support/processes/run-program.ts";
import { blocksOf, folderWithSamples, WANTED } from "./signed-samples.ts";

/** Longest run in milliseconds, on a busy machine that downloads and compiles. */
const TIMEOUT_MS = 300_000;

const GO_LIBRARY = "github.com/standard-webhooks/standard-webhooks/libraries v0.0.1";
const JAVA_LIBRARY = {
  artifact: "com.standardwebhooks:standardwebhooks:1.2.0",
  jar: "standardwebhooks-1.2.0.jar",
};

const GO_MAIN = `package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	"svc-webhooks/hooks"
)

func main() {
	text, err := os.ReadFile("deliveries.json")
	if err != nil {
		panic(err)
	}
	var given struct {
		Secret     string
		Deliveries []struct {
			Body    string
			Headers map[string]string
		}
	}
	if err := json.Unmarshal(text, &given); err != nil {
		panic(err)
	}
	for _, each := range given.Deliveries {
		headers := http.Header{}
		for name, value := range each.Headers {
			headers.Set(name, value)
		}
		if hooks.Verify([]byte(each.Body), headers, given.Secret) != nil {
			fmt.Println("refused")
		} else {
			fmt.Println(headers.Get("X-Svc-Event"))
		}
	}
}
`;

/** Java has no reader of JSON of its own: each delivery is a file of headers, and one of the body. */
const JAVA_MAIN = `
class Main {
  public static void main(String[] given) throws Exception {
    for (int at = 0; at < Integer.parseInt(given[1]); at++) {
      var headers = new java.util.HashMap<String, java.util.List<String>>();
      for (var line : java.nio.file.Files.readAllLines(java.nio.file.Path.of(at + ".headers")))
        headers.put(line.split(": ")[0], List.of(line.split(": ")[1]));
      var body = java.nio.file.Files.readString(java.nio.file.Path.of(at + ".body"));
      try {
        Hooks.verify(body, headers, given[0]);
        System.out.println(headers.get("x-svc-event").get(0));
      } catch (com.standardwebhooks.exceptions.WebhookVerificationException refused) {
        System.out.println("refused");
      }
    }
  }
}
`;

// proves HOOK-24
// skip: the peer is not installed; the long run has it.
it.skipIf(missing.go)("the Go of the page verifies every kind", { timeout: TIMEOUT_MS }, async () => {
  const { folder } = await folderWithSamples();
  mkdirSync(join(folder, "hooks"));
  writeFileSync(join(folder, "hooks", "hooks.go"), blocksOf("go").join(""));
  writeFileSync(join(folder, "main.go"), GO_MAIN);
  writeFileSync(join(folder, "go.mod"), `module svc-webhooks\n\ngo 1.19\n\nrequire ${GO_LIBRARY}\n`);
  // Its caches and its proxy are those of the user.
  const env = { GOTOOLCHAIN: "local", GOFLAGS: "-mod=mod", HOME: homedir() };
  expect(await runProgram(programOf("go"), ["run", "."], env, { cwd: folder })).toMatchObject({
    exitCode: 0,
    stdout: WANTED,
  });
});

const maven = findProgram("mvn");
const compiler = findProgram("javac");

// proves HOOK-24
// skip: it needs Maven and a JDK, which are not peers.
it.skipIf(maven === null || compiler === null)(
  "the Java of the page verifies every kind",
  {
    timeout: TIMEOUT_MS,
  },
  async () => {
    const { folder, secret, samples } = await folderWithSamples();
    const options = { cwd: folder };
    const artifact = [`-Dartifact=${JAVA_LIBRARY.artifact}`, "-DoutputDirectory=."];
    const fetched = await runProgram(
      maven ?? "",
      ["-B", "-q", "dependency:copy", ...artifact],
      { HOME: homedir() },
      options,
    );
    expect(fetched).toMatchObject({ exitCode: 0 });
    for (const [at, { body, headers }] of samples.entries()) {
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`);
      writeFileSync(join(folder, `${String(at)}.headers`), lines.join(""));
      writeFileSync(join(folder, `${String(at)}.body`), body);
    }
    writeFileSync(join(folder, "Main.java"), blocksOf("java").join("") + JAVA_MAIN);
    const compiled = await runProgram(compiler ?? "", ["-cp", JAVA_LIBRARY.jar, "Main.java"], {}, options);
    expect(compiled).toEqual({ exitCode: 0, stdout: "", stderr: "" });
    const args = ["-cp", `.:${JAVA_LIBRARY.jar}`, "Main", secret, String(samples.length)];
    expect(await runProgram("java", args, {}, options)).toMatchObject({ exitCode: 0, stdout: WANTED });
  },
);
