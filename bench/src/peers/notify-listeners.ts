import { Client } from "pg";

/** Answers each notification with one of its own, over many connections: `<database url> <connections>`. */
const [url = "", connections = "1"] = process.argv.slice(2);

for (let at = 0; at < Number(connections); at += 1) {
  const client = new Client({ connectionString: url });
  await client.connect();
  client.on("notification", ({ payload = "" }) => {
    void client.query("SELECT pg_notify('bench_answer', $1)", [payload]);
  });
  await client.query("LISTEN bench_question");
}
process.stdout.write(`listening ${url}\n`);
