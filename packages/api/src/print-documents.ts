import { renderDocuments } from "./render-documents.ts";

/** For the build: the documents of the version in the first argument, as one object in JSON. */
const version = process.argv[2];
if (version === undefined) throw new Error("expected the version as the first argument");
process.stdout.write(JSON.stringify(renderDocuments(version)));
