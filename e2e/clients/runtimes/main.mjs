import { calls } from "./calls.mjs";

const { env, stdout } = globalThis.process;
stdout.write(`${JSON.stringify(await calls(JSON.parse(env.SCENARIO)))}\n`);
