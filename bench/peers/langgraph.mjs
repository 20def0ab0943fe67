// @ts-nocheck Runs in a scratch folder with packages that Parley does not have.
// The job in LangGraph.js: a graph interrupts itself with a question, which is stored; it is resumed with the answer.
// `langgraph.mjs <file of the checkpoints>`
import { Annotation, Command, END, interrupt, START, StateGraph } from "@langchain/langgraph";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import { serveSlices } from "./slices.mjs";

const saver = SqliteSaver.fromConnString(process.argv[2]);
saver.db.pragma("journal_mode = WAL");
saver.db.pragma("synchronous = FULL");
const State = Annotation.Root({ question: Annotation(), answer: Annotation() });
const graph = new StateGraph(State)
  .addNode("ask", ({ question }) => ({ answer: interrupt(question) }))
  .addEdge(START, "ask")
  .addEdge("ask", END)
  .compile({ checkpointer: saver });

let threads = 0;
serveSlices(async (question) => {
  const config = { configurable: { thread_id: String(threads++) }, durability: "sync" };
  await graph.invoke({ question }, config);
  const { answer } = await graph.invoke(new Command({ resume: "Tonight" }), config);
  if (answer !== "Tonight") throw new Error(`not answered: ${answer}`);
});
