import type { Result } from "../../protocol/ask.ts";
import { isParleyError } from "../../protocol/errors.ts";
import type { AgentRun } from "../agent.ts";

export type Choice = {
  question: string;
  header: string;
  multiSelect: boolean;
  options: Array<{ label: string; description?: string }>;
};

/**
 * Asks all at once, in the shape of Claude Code. An installation may limit that shape to less than the demo asks; then the
 * demo asks one by one, in the shape with fixed limits.
 */
export async function askChoices(run: AgentRun, questions: Choice[]): Promise<Result[]> {
  try {
    return [await run.ask({ questions })];
  } catch (error) {
    if (!isParleyError(error) || error.code !== "invalid_request") throw error;
  }
  const results: Result[] = [];
  for (const { question, header, multiSelect, options } of questions) {
    const type = multiSelect ? "checkbox" : "multiple_choice";
    const withIds = options.map((option, index) => ({ id: `option_${index + 1}`, ...option }));
    const result = await run.ask({ question_text: question, header, type, options: withIds, allow_other: true });
    results.push(result);
    if (result.outcome !== "answered") break;
  }
  return results;
}
