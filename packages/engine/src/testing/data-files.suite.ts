import { readdirSync, readFileSync } from "node:fs";
import { parse } from "yaml";

const FOLDER = new URL("../../testdata/", import.meta.url);

export interface DataFile {
  readonly name: string;
  readonly text: string;
}

/** Every file of one folder of test data, by name. */
export function dataFiles(folder: string): DataFile[] {
  const at = new URL(`${folder}/`, FOLDER);
  return readdirSync(at)
    .toSorted()
    .map((name) => ({ name, text: readFileSync(new URL(name, at), "utf8") }));
}

/** One YAML file of test data, in the shape that its test declares. */
export function dataFile<Shape>(name: string): Shape {
  return parse(readFileSync(new URL(name, FOLDER), "utf8")) as Shape;
}
