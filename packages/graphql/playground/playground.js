// The page that tries GraphQL. It runs in a browser, and asks the server that it came from.
import { autocompletion, closeBrackets } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, syntaxHighlighting } from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import { EditorView, keymap, lineNumbers } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";
import { graphql, updateSchema } from "cm6-graphql";
import { buildSchema } from "graphql";

/** Questions that the browser remembers, as count. */
const MAX_REMEMBERED = 20;
const REMEMBERED = "svc-graphql-questions";
const FIRST_QUESTION = `{
  whoami { principal role scopes }
  events(first: 5) {
    nodes { time agentId tool decision reason policy { id version } }
  }
}
`;

const element = (id) => document.getElementById(id);

/** The shadow root takes the styles of the editor as sheets, which the policy of the page allows. */
function makeEditor(host, text, extensions) {
  const root = host.attachShadow({ mode: "open" });
  const sheet = document.createElement("link");
  sheet.rel = "stylesheet";
  sheet.href = "/docs/playground.css";
  root.append(sheet);
  const state = EditorState.create({ doc: text, extensions });
  return new EditorView({ state, root, parent: root });
}

function remembered() {
  try {
    const known = JSON.parse(localStorage.getItem(REMEMBERED) ?? "[]");
    return Array.isArray(known) ? known : [];
  } catch {
    return [];
  }
}

function remember(question) {
  const others = remembered().filter(({ query, variables }) =>
    query !== question.query || variables !== question.variables);
  localStorage.setItem(REMEMBERED, JSON.stringify([question, ...others].slice(0, MAX_REMEMBERED)));
  showRemembered();
}

function showRemembered() {
  const options = remembered().map(({ query }, at) => {
    const option = document.createElement("option");
    option.value = String(at);
    option.textContent = query.replaceAll(/\s+/g, " ").slice(0, 80);
    return option;
  });
  element("history").replaceChildren(new Option("Earlier questions", ""), ...options);
}

function setText(view, text) {
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
}

async function ask(query, variables) {
  const key = element("key").value;
  const authorization = key === "" ? {} : { authorization: `Bearer ${key}` };
  const accept = "application/graphql-response+json, application/problem+json, application/json";
  const answer = await fetch("/api/v1/graphql", {
    method: "POST",
    headers: { "content-type": "application/json", accept, ...authorization },
    body: JSON.stringify({ query, variables }),
  });
  return { status: answer.status, body: await answer.json() };
}

async function run(view) {
  const query = view.state.doc.toString();
  const text = element("variables").value;
  element("status").textContent = "Waiting ...";
  try {
    const { status, body } = await ask(query, text.trim() === "" ? null : JSON.parse(text));
    element("status").textContent = `Status ${status}`;
    element("answer").textContent = JSON.stringify(body, null, 2);
    remember({ query, variables: text });
  } catch (error) {
    element("status").textContent = "No answer";
    element("answer").textContent = String(error);
  }
}

/** The definitions of the schema whose text has the words. */
function showSchema(definitions) {
  const words = element("search").value.toLowerCase();
  const shown = definitions.filter((definition) => definition.toLowerCase().includes(words));
  element("schema").textContent = shown.join("\n\n");
}

async function loadSchema(view) {
  const answer = await fetch("/api/v1/graphql/schema");
  const text = await answer.text();
  updateSchema(view, buildSchema(text));
  const definitions = text.split(/\n\n(?="""|type |enum |union |scalar )/);
  element("search").addEventListener("input", () => showSchema(definitions));
  showSchema(definitions);
}

const runKey = { key: "Mod-Enter", run: (view) => { void run(view); return true; } };
const editor = makeEditor(element("query"), FIRST_QUESTION, [
  lineNumbers(),
  history(),
  bracketMatching(),
  closeBrackets(),
  autocompletion(),
  syntaxHighlighting(classHighlighter),
  keymap.of([runKey, indentWithTab, ...defaultKeymap, ...historyKeymap]),
  EditorView.contentAttributes.of({ "aria-label": "Question" }),
  graphql(),
]);
element("run").addEventListener("click", () => void run(editor));
element("history").addEventListener("change", ({ target }) => {
  const question = remembered()[Number(target.value)];
  if (target.value === "" || question === undefined) return;
  setText(editor, question.query);
  element("variables").value = question.variables;
});
showRemembered();
void loadSchema(editor);
