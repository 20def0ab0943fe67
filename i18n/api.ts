import type { ErrorCode, ErrorDetails } from "../lib/protocol/errors.ts";
import type { Language } from "./languages.ts";

/** `message` is the English text with the exact cause, appended where the translation does not state it. */
type Say = (details: ErrorDetails, message: string) => string;
type Texts = {
  /** Replies to an answer: the agent continues, it no longer waits, or more questions are open. */
  answered: string;
  unawaited: string;
  saved: string;
  /** Shown in place of a page while pages cannot be rendered. */
  pagesUnavailable: string;
  errors: Record<ErrorCode, Say>;
};

/** Messages in REST replies. English error messages are written where they are thrown. */
export const API_TEXTS: Record<Exclude<Language, "en">, Texts> & { en: Omit<Texts, "errors"> } = {
  en: {
    answered: "Answer submitted, the task continues",
    unawaited: "Answer saved, but the agent is no longer waiting for it. Send it a message to continue",
    saved: "Answer saved, more questions are waiting for an answer",
    pagesUnavailable: "Parley’s pages will be back in a moment. Questions and answers are not affected.",
  },
  zh: {
    answered: "答案已提交，任务继续执行",
    unawaited: "答案已保存，但智能体已不再等待它。发一条消息即可继续",
    saved: "答案已保存，还有问题等待回答",
    pagesUnavailable: "Parley 的页面马上就会恢复。问题和答案不受影响。",
    errors: {
      session_not_found: () => "这个对话不存在。",
      question_not_found: () => "这个对话里没有这个问题，或者它现在不能回答。",
      invalid_answer: (_, message) => `答案未被接受。${message}`,
      not_found: () => "这个地址不存在。所有接口见 /api/docs。",
      method_not_allowed: ({ allow = [] }) => `这个地址不支持该方法，请使用 ${allow.join("、")}。`,
      invalid_request: (_, message) => `请求不符合要求。${message}`,
      duplicate_answer: ({ answered_by }) => `${answered_by?.name ?? ""} 已经回答了这个问题。`,
      duplicate_question_id: () => "这个 question_id 在对话里已经用过，请换一个。",
      question_closed: ({ status }) => (status === "timeout" ? "这个问题已超时关闭。" : "这个问题已关闭，不能再回答。"),
      idempotency_conflict: () => "这个 id 或键已用于另一个内容，请换一个新的，或重新查看问题。",
      non_interactive: () => "这个对话里没有人可以回答。请自行决定，或根据已知信息结束。",
      conversation_interrupted: () => "这个对话已被停止或关闭。",
      input_timeout: () => "在截止时间之前没有人回答。",
      recursive_limit_exceeded: ({ limit }) =>
        `这次运行已提问 ${limit} 次，达到上限。请根据已知信息完成，或交还给人；人可以允许更多提问。`,
      turn_queue_full: ({ queued }) => `已有 ${queued} 条消息在排队，请等智能体处理一些后再发。`,
      rate_limited: ({ retry_after = 1 }) => `请求太多，请在 ${retry_after} 秒后重试。`,
      payload_too_large: () => "请求太大。",
      unauthorized: () => "请先登录。",
      forbidden: (_, message) => `不允许这样做。${message}`,
      confirm_required: () =>
        "请先确认是你本人：距离上次验证身份已超过 10 分钟。浏览器会询问你；在终端请运行 parley login --answer 重新登录。",
      claimed: ({ claimed_by = "" }) => `${claimed_by} 正在回答这个问题。仍要回答时，请发送 take_over: true。`,
      second_person_required: () => "这个空间要求由另一个人回答：此人须已登录，且不是提问密钥的所有者。",
      token_invalid: () => "这个链接或代码无效：可能已使用、已过期或不完整。请重新索取。",
      protocol_version_unsupported: () => "请使用 protocol=v2 连接。",
      chat_protocol_disabled: () => "这里没有开启 socket（CHAT_PROTOCOL_V2_ENABLED）。",
      storage_unavailable: ({ reason }) =>
        reason === "disk_full"
          ? "数据库所在的磁盘已满，内容没有保存。请在腾出空间后重试。"
          : reason === "file_replaced"
            ? "数据库文件在 Parley 运行期间被删除或替换，内容没有保存。请放回原文件，或重启 Parley。"
            : "数据库暂时无法使用，请稍后重试。",
      internal: () => "Parley 内部出错。用 details.reference 可以在日志里找到原因。",
    },
  },
  ja: {
    answered: "回答を送信しました。タスクを続行します",
    unawaited: "回答を保存しましたが、エージェントはもう待っていません。続けるにはメッセージを送ってください",
    saved: "回答を保存しました。まだ回答待ちの質問があります",
    pagesUnavailable: "Parley のページはまもなく元に戻ります。質問と回答に影響はありません。",
    errors: {
      session_not_found: () => "この会話は存在しません。",
      question_not_found: () => "この会話にその質問はないか、いまは回答できません。",
      invalid_answer: (_, message) => `回答を受け付けられませんでした。${message}`,
      not_found: () => "このアドレスには何もありません。利用できる操作は /api/docs にあります。",
      method_not_allowed: ({ allow = [] }) =>
        `このアドレスではそのメソッドを使えません。${allow.join("、")} を使ってください。`,
      invalid_request: (_, message) => `リクエストが正しくありません。${message}`,
      duplicate_answer: ({ answered_by }) => `この質問には ${answered_by?.name ?? ""} がすでに回答しています。`,
      duplicate_question_id: () => "この question_id はこの会話ですでに使われています。別のものを使ってください。",
      question_closed: ({ status }) =>
        status === "timeout" ? "この質問は時間切れで終了しました。" : "この質問は終了しており、回答できません。",
      idempotency_conflict: () =>
        "この ID またはキーは別の内容ですでに使われています。新しいものを使うか、質問を確認し直してください。",
      non_interactive: () =>
        "この会話には回答できる人がいません。自分で判断するか、わかっている範囲で終了してください。",
      conversation_interrupted: () => "この会話は停止または終了しています。",
      input_timeout: () => "期限までに回答がありませんでした。",
      recursive_limit_exceeded: ({ limit }) =>
        `このターンの質問は上限の ${limit} 回に達しました。わかっている範囲で完了するか、人に戻してください。人は質問の追加を許可できます。`,
      turn_queue_full: ({ queued }) =>
        `${queued} 件のメッセージが待機中です。エージェントの処理が進んでから、もう一度送信してください。`,
      rate_limited: ({ retry_after = 1 }) => `リクエストが多すぎます。${retry_after} 秒後にもう一度お試しください。`,
      payload_too_large: () => "リクエストが大きすぎます。",
      unauthorized: () => "サインインしてください。",
      forbidden: (_, message) => `この操作は許可されていません。${message}`,
      confirm_required: () =>
        "先に本人確認をしてください。前回の確認から 10 分以上たっています。ブラウザーでは確認画面が表示されます。ターミナルでは parley login --answer でサインインし直してください。",
      claimed: ({ claimed_by = "" }) =>
        `${claimed_by} さんが回答中です。それでも回答するには take_over: true を送ってください。`,
      second_person_required: () =>
        "このスペースでは、質問したキーの所有者ではない、サインイン済みの別の人が回答する必要があります。",
      token_invalid: () =>
        "このリンクまたはコードは使えません。使用済み、期限切れ、または不完全です。もう一度発行してもらってください。",
      protocol_version_unsupported: () => "protocol=v2 で接続してください。",
      chat_protocol_disabled: () => "ここではソケットが無効になっています（CHAT_PROTOCOL_V2_ENABLED）。",
      storage_unavailable: ({ reason }) =>
        reason === "disk_full"
          ? "データベースのディスクがいっぱいのため、保存されていません。空き容量を確保してから、もう一度お試しください。"
          : reason === "file_replaced"
            ? "Parley の実行中にデータベースのファイルが削除または置き換えられたため、保存されていません。元に戻すか、Parley を再起動してください。"
            : "データベースを一時的に利用できません。しばらくしてからもう一度お試しください。",
      internal: () => "Parley の内部でエラーが発生しました。details.reference でログから原因を探せます。",
    },
  },
};
