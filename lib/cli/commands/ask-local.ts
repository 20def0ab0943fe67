import type { JsonObject } from "../../domain/json.ts";
import type { PickedAnswer } from "../../domain/question-types.ts";
import type { Question } from "../../protocol/question.ts";
import { PromptAbandoned } from "../asking/asker.ts";
import { createAsker } from "../asking/create-asker.ts";
import { fillIn } from "../asking/form.ts";
import { readArgument, shellValidationFailed } from "../terminal/json-argument.ts";
import { CommandExit, EXIT, type Run } from "../terminal/terminal.ts";

/** `AskUserQuestion '<json>'`: asks in this terminal, without a server. */
export const run: Run = async (terminal, [argument], { local }) => {
  const body = await readArgument(argument, local ? "parley ask" : "AskUserQuestion");
  const questions = await readQuestions(body, terminal.env);
  const asker = await createAsker(terminal);
  try {
    const picked = await fillIn(questions, {
      ask: (question, { before, isFirst }) => {
        const heading = `Round ${questions.indexOf(question) + 1}/${questions.length}`;
        return asker.ask(question, { heading, before, ways: isFirst ? [] : ["back"] });
      },
    });
    if (picked === "reply") throw new Error("A reply in words is not offered here.");
    const { shellText } = await import("../../domain/shapes/shell.ts");
    const answers = questions.map((question) => [
      question.header,
      shellText(answerOf(question, picked.get(question.question_id))),
    ]);
    terminal.print(`${JSON.stringify({ answers: Object.fromEntries(answers) })}\n`);
    return EXIT.answered;
  } catch (error) {
    if (error instanceof PromptAbandoned) throw new CommandExit(EXIT.cancelled, `Cancelled. ${error.message}`.trim());
    throw error;
  } finally {
    asker.close();
  }
};

async function readQuestions(body: JsonObject, env: Record<string, string | undefined>): Promise<Question[]> {
  const [{ ConfigError, parseConfig }, { pathText }, { askShapes }] = await Promise.all([
    import("../../config.ts"),
    import("../../protocol/errors.ts"),
    import("../../protocol/question.ts"),
  ]);
  try {
    const { limits } = parseConfig(asked(env));
    const parsed = askShapes(limits).Shell.safeParse(body);
    if (parsed.success) return parsed.data.questions.map(toQuestion);
    throw shellValidationFailed(parsed.error.issues.map(({ path, message }) => ({ path: pathText(path), message })));
  } catch (error) {
    if (error instanceof ConfigError) throw new CommandExit(EXIT.badInput, error.message);
    throw error;
  }
}

/** Only its own four variables: invalid settings of a server next to it must not stop the command. */
function asked(env: Record<string, string | undefined>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => name.startsWith("ASK_")));
}

type Item = {
  question: string;
  header: string;
  multiSelect: boolean;
  options: Array<{ label: string; description: string; preview?: string | undefined }>;
};

function toQuestion(item: Item, index: number): Question {
  return {
    question_id: String(index),
    type: item.multiSelect ? "checkbox" : "multiple_choice",
    text: item.question,
    header: item.header,
    options: item.options.map(({ label, description, preview }, nth) => ({
      id: String(nth),
      label,
      description,
      ...(preview && { preview }),
    })),
    required: true,
    allow_other: true,
  };
}

function answerOf({ options }: Question, picked: PickedAnswer | undefined): { labels: string[]; text: string | null } {
  const labels = options.filter(({ id }) => picked?.option_ids.includes(id)).map(({ label }) => label);
  return { labels, text: picked?.text ?? null };
}
