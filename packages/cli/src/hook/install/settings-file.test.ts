import { expect, it } from "vitest";
import { runCaptured } from "../../testing/run-captured.ts";

it.each(["", ".", "a/b"])(
  "writes no settings of a user below the current folder, with HOME=%j",
  async (HOME) => {
    const ended = await runCaptured(["hook", "install", "--agent", "a", "--url", "http://x.example"], {
      environment: { HOME },
    });
    expect(ended).toEqual({
      exitCode: 2,
      out: "",
      error: `error: HOME: expected an absolute path, found ${JSON.stringify(HOME)}\n`,
    });
  },
);
