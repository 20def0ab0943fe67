// A bare answer that writes the same seven rows as the product's and does nothing else:
// `same-rows.js <path of a database with the product's tables> <path of a JSON file with the values of a real answer>`.
import { readFileSync } from "node:fs";
import { groupCommit } from "../bare/group-commit.ts";
import { readJson, reply, serve } from "../bare/http-server.ts";
import { productRows } from "../bare/product-rows.ts";
import { openLikeTheProduct } from "../bare/rows.ts";

type Answer = { session_id: string; question_id: string };

const [path = "", values = ""] = process.argv.slice(2);
const store = groupCommit(productRows(openLikeTheProduct(path), JSON.parse(readFileSync(values, "utf8"))));

serve((req, res) => {
  readJson(req, (body) => {
    const { session_id: session, question_id: id } = body as Answer;
    store({ kind: "answer", session, id }, () =>
      reply(res, 200, `{"success":true,"message":"ok","tool_use_id":${JSON.stringify(id)},"status":"answered"}`),
    );
  });
});
