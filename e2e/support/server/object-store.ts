import { join } from "node:path";
import { parseJson } from "@svc/text/parse-json";
import { AwsClient } from "aws4fetch";
import { onTestFinished } from "vitest";
import { startProcess } from "../processes/child-process.ts";
import { programOf } from "../processes/peer-programs.ts";

const SCRIPT = join(import.meta.dirname, "..", "..", "api", "python", "serve_objects.py");

interface Place {
  readonly url: string;
  readonly region: string;
  readonly bucket: string;
  readonly access_key_id: string;
  readonly secret_access_key: string;
}

/** A store of objects that checks signatures, with what is needed to use it. */
export interface ObjectStore {
  readonly place: Place;
  /** The names of all objects in ascending order. */
  names(): Promise<readonly string[]>;
  read(name: string): Promise<string>;
}

export async function objectStore(): Promise<ObjectStore> {
  const running = await startProcess("python3", [SCRIPT], {
    env: { PYTHONPATH: programOf("moto"), PYTHONUNBUFFERED: "1" },
    ready: { line: /^\{"url"/ },
    startWithinMs: 60_000,
  });
  onTestFinished(async () => void (await running.stop("SIGKILL")));
  const line = running.lines.find((each) => each.startsWith('{"url"')) ?? "{}";
  const place = parseJson(line) as Place;
  const client = new AwsClient({
    accessKeyId: place.access_key_id,
    secretAccessKey: place.secret_access_key,
    region: place.region,
    service: "s3",
    retries: 0,
  });
  const bucket = `${place.url}/${place.bucket}`;
  const get = async (url: string): Promise<string> => {
    const answer = await client.fetch(url);
    if (!answer.ok) throw new Error(`${url}: ${String(answer.status)} ${await answer.text()}`);
    return answer.text();
  };
  return {
    place,
    names: async () => {
      const listed = await get(`${bucket}?list-type=2`);
      return [...listed.matchAll(/<Key>([^<]+)<\/Key>/g)].map(([, name = ""]) => name).toSorted();
    },
    read: async (name) => get(`${bucket}/${name}`),
  };
}
