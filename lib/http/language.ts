import { acceptedLanguages } from "../domain/accept-language.ts";
import type { AskStatus } from "../protocol/ask.ts";

type Language = "zh" | "ja" | "en";

const DONE: Record<Language, string> = {
  zh: "答案已提交，任务继续执行",
  ja: "回答を送信しました。タスクを続行します",
  en: "Answer submitted, the task continues",
};

const MORE: Record<Language, string> = {
  zh: "答案已保存，还有问题等待回答",
  ja: "回答を保存しました。まだ回答待ちの質問があります",
  en: "Answer saved, more questions wait for an answer",
};

/** What the person is told, in the language they prefer; without a preference, in the language of the first contract. */
export function answerMessage(acceptLanguage: string | undefined, status: AskStatus): string {
  return (status === "pending" ? MORE : DONE)[preferred(acceptLanguage)];
}

function preferred(header: string | undefined): Language {
  if (header === undefined) return "zh";
  const wanted = acceptedLanguages(header);
  const spoken = wanted.find((language): language is Language => Object.hasOwn(DONE, language));
  return spoken ?? (wanted.some((language) => language !== "*") ? "en" : "zh");
}
