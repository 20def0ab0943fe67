import type { Outcome } from "../lib/protocol/ask.ts";
import type { NotificationEvent } from "../lib/protocol/notification.ts";
import type { Language } from "./languages.ts";

/** The texts of notifications. Names and questions are passed in as one line of plain text. */
export type NotificationTexts = {
  title: Record<Exclude<NotificationEvent, "settled">, (agent: string) => string>;
  several: (questions: number) => string;
  more: (questions: number) => string;
  andMore: (questions: number) => string;
  /** Replaces the question in spaces that keep question text out of notifications. */
  waiting: (space: string | null) => string;
  settled: Record<Outcome, (by: string | null, answer?: string | null) => string>;
  yes: string;
  no: string;
  /** The buttons that put a question away, for an hour or until tomorrow at nine. */
  snooze: { hour: string; tomorrow: string };
  /** In Slack: the button that opens the form, the form's field labels, and its submit button. */
  answer: string;
  question: string;
  other: string;
  submit: string;
  /** In Slack: sent to an account that a person added, to confirm that it is theirs. */
  confirm: { text: (person: string) => string; button: string; done: string };
  /** In an email: the only one that a new address gets until the code in it was entered. */
  confirmAddress: { title: string; body: (person: string, code: string) => string };
  /** In Slack: sent to someone whose click was refused. */
  notLinked: string;
  notShown: string;
  /** The link's label, and the heading above the options. */
  open: string;
  options: string;
  /** At the end of an email. */
  footer: string;
  test: { title: string; body: string };
};

export const NOTIFICATION_TEXTS: Record<Language, NotificationTexts> = {
  en: {
    title: {
      asked: (agent) => `${agent} has a question`,
      assigned: (agent) => `${agent} has a question for you`,
      escalated: (agent) => `${agent} is still waiting for an answer`,
      claimed: (agent) => `Someone is answering ${agent}`,
    },
    several: (questions) => `${questions} questions are waiting`,
    more: (questions) => `… and ${questions} more`,
    andMore: (questions) => `(+${questions})`,
    waiting: (space) => (space === null ? "A question is waiting in Parley." : `A question is waiting in ${space}.`),
    settled: {
      answered: (by, answer) => `Answered${by === null ? "" : ` by ${by}`}${answer ? `: ${answer}` : ""}`,
      replied: (by, answer) => `Answered${by === null ? "" : ` by ${by}`}${answer ? `: ${answer}` : ""}`,
      cancelled: (by) => `Dismissed${by === null ? "" : ` by ${by}`}`,
      timeout: () => "Timed out",
    },
    yes: "Yes",
    no: "No",
    snooze: { hour: "In an hour", tomorrow: "Tomorrow 9:00" },
    answer: "Answer…",
    question: "Answer",
    other: "Other",
    submit: "Send",
    confirm: {
      text: (person) => `${person} wants to receive and answer Parley questions here. Confirm only if this is you.`,
      button: "This is me",
      done: "Questions from Parley will arrive here.",
    },
    confirmAddress: {
      title: "Confirm this address for Parley",
      body: (person, code) =>
        `${person} added this address to get notifications from Parley. To confirm it, enter this code on Parley’s Notifications page:\n\n${code}\n\nIf you did not expect this, ignore this email and tell nobody the code. Nothing else will be sent here.`,
    },
    notLinked:
      "Parley does not know your Slack account. Add it as a channel on Parley’s Notifications page, then try again.",
    notShown: "You can’t answer this question in Slack. Open it in Parley.",
    open: "Open in Parley",
    options: "Options:",
    footer: "You receive this because you can answer questions in Parley. Change this on Parley’s Notifications page.",
    test: { title: "Parley can reach you here", body: "This is a test. Questions will arrive the same way." },
  },
  zh: {
    title: {
      asked: (agent) => `${agent} 有一个问题`,
      assigned: (agent) => `${agent} 有一个问题需要你回答`,
      escalated: (agent) => `${agent} 仍在等待回答`,
      claimed: (agent) => `有人正在回答 ${agent}`,
    },
    several: (questions) => `有 ${questions} 个问题等待回答`,
    more: (questions) => `……还有 ${questions} 个`,
    andMore: (questions) => `（另有 ${questions} 个）`,
    waiting: (space) => (space === null ? "Parley 中有一个问题等待回答。" : `“${space}”中有一个问题等待回答。`),
    settled: {
      answered: (by, answer) => `${by === null ? "已回答" : `${by} 已回答`}${answer ? `：${answer}` : ""}`,
      replied: (by, answer) => `${by === null ? "已回答" : `${by} 已回答`}${answer ? `：${answer}` : ""}`,
      cancelled: (by) => (by === null ? "不予回答" : `${by} 不予回答`),
      timeout: () => "已超时",
    },
    yes: "是",
    no: "否",
    snooze: { hour: "一小时后", tomorrow: "明天 9:00" },
    answer: "回答…",
    question: "回答",
    other: "其他",
    submit: "发送",
    confirm: {
      text: (person) => `${person} 希望在这里接收并回答 Parley 的问题。仅当这是你本人时才确认。`,
      button: "这是我",
      done: "Parley 的问题将发送到这里。",
    },
    confirmAddress: {
      title: "确认用于 Parley 的邮箱地址",
      body: (person, code) =>
        `${person} 添加了这个地址来接收 Parley 的通知。要确认它，请在 Parley 的通知页面输入这个代码：\n\n${code}\n\n如果这不是你的操作，请忽略这封邮件，也不要把代码告诉任何人。Parley 不会再向这里发送其他内容。`,
    },
    notLinked: "Parley 不认识你的 Slack 账户。请在 Parley 的通知页面将它添加为渠道，然后重试。",
    notShown: "你无法在 Slack 中回答这个问题。请在 Parley 中打开它。",
    open: "在 Parley 中打开",
    options: "选项：",
    footer: "你可以在 Parley 中回答问题，因此收到此邮件。可在 Parley 的通知页面更改。",
    test: { title: "Parley 可以在这里通知你", body: "这是一条测试消息。问题会以同样的方式送达。" },
  },
  ja: {
    title: {
      asked: (agent) => `${agent} からの質問`,
      assigned: (agent) => `${agent} からあなたへの質問`,
      escalated: (agent) => `${agent} がまだ回答を待っています`,
      claimed: (agent) => `${agent} の質問に対応中の人がいます`,
    },
    several: (questions) => `${questions} 件の質問が回答を待っています`,
    more: (questions) => `…ほか ${questions} 件`,
    andMore: (questions) => `（ほか ${questions} 件）`,
    waiting: (space) =>
      space === null ? "Parley に回答待ちの質問があります。" : `「${space}」に回答待ちの質問があります。`,
    settled: {
      answered: (by, answer) => `${by === null ? "回答済み" : `${by} が回答しました`}${answer ? `：${answer}` : ""}`,
      replied: (by, answer) => `${by === null ? "回答済み" : `${by} が回答しました`}${answer ? `：${answer}` : ""}`,
      cancelled: (by) => (by === null ? "却下" : `${by} が却下しました`),
      timeout: () => "時間切れ",
    },
    yes: "はい",
    no: "いいえ",
    snooze: { hour: "1 時間後", tomorrow: "明日 9:00" },
    answer: "回答する…",
    question: "回答",
    other: "その他",
    submit: "送信",
    confirm: {
      text: (person) =>
        `${person} が、ここで Parley の質問を受け取り、回答しようとしています。ご本人の場合のみ確認してください。`,
      button: "本人です",
      done: "Parley の質問はここに届きます。",
    },
    confirmAddress: {
      title: "Parley で使うメールアドレスの確認",
      body: (person, code) =>
        `${person} が、Parley の通知を受け取るためにこのアドレスを追加しました。確認するには、Parley の通知ページでこのコードを入力してください：\n\n${code}\n\n心当たりがない場合は、このメールを無視し、コードを誰にも教えないでください。ほかのメールはここに送信されません。`,
    },
    notLinked:
      "Parley はあなたの Slack アカウントを認識していません。Parley の通知ページで通知先に追加してから、もう一度お試しください。",
    notShown: "この質問には Slack で回答できません。Parley で開いてください。",
    open: "Parley で開く",
    options: "選択肢：",
    footer: "Parley で回答できる方にお送りしています。Parley の通知ページで変更できます。",
    test: { title: "Parley の通知はここに届きます", body: "これはテストです。質問も同じように届きます。" },
  },
};
