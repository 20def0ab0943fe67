/** What the demo agent says, in the three languages that it speaks. */
export type Language = "en" | "zh" | "ja";

export function languageOf(message: string): Language {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(message)) return "ja";
  return /\p{Script=Han}/u.test(message) ? "zh" : "en";
}

type Choice = { label: string; description: string };

export type Words = {
  hello: string;
  thinking: string;
  choose: { header: string; question: string; again: string; poem: Choice; joke: Choice; smiley: Choice; more: Choice };
  onceMore: string;
  atLimit: string;
  doing: { poem: string; joke: string; smiley: string; other: (text: string) => string; nothing: string };
  poem: string;
  joke: string;
  done: string;
  noted: (text: string) => string;
  replied: (text: string) => string;
  cancelled: (reason: string) => string;
  menu: { question: string; intro: string };
  scenarios: Record<"poem" | "auth" | "port" | "delete" | "deploy" | "batch" | "parallel" | "failure" | "long", Choice>;
};

const en: Words = {
  hello: "Hello! I am the demo agent. I need no key and no network, and I do what you choose.",
  thinking: "The person wants to see how questions work. I will offer a few things, and do what they pick.",
  choose: {
    header: "Function",
    question: "Please choose a function",
    again: "Please choose a function again",
    poem: { label: "Recite a poem", description: "A short poem, line by line" },
    joke: { label: "Tell a joke", description: "One that developers know to be true" },
    smiley: { label: "Print a smiley", description: "A smiling face" },
    more: { label: "One more multi-select", description: "The same options again, to see several rounds" },
  },
  onceMore: "Here is another one, with the same options.",
  atLimit:
    "I have asked as often as I may in one turn, so I stop here. Send a message to begin again, or allow me more.",
  doing: {
    poem: "Reciting a poem …",
    joke: "Telling a joke …",
    smiley: "Here is a smiley:",
    other: (text) => `You wrote “${text}”. I cannot do that, but I heard you.`,
    nothing: "Then I do nothing. That is fine too.",
  },
  poem: "A question left upon the sill\nwaits through the rain and waits there still;\nthe lamp burns low, the night is long,\nan answer comes, and it moves on.",
  joke: "Why did the agent wait all night? Someone said “I'll answer in five minutes”, and it believed them.",
  done: "That was it. Say “menu” to see what else I can show.",
  noted: (text) => `Noted: ${text}.`,
  replied: (text) => `You replied “${text}” instead of choosing. A real agent would now act on that.`,
  cancelled: (reason) => `The question was cancelled (${reason}), so I go on without an answer.`,
  menu: { question: "What shall I show you?", intro: "Each of these shows another side of asking." },
  scenarios: {
    poem: { label: "Several rounds", description: "Poem, joke, smiley, and again" },
    auth: { label: "Follow-ups", description: "An authentication questionnaire, two levels deep" },
    port: { label: "Free text", description: "A port, checked, with a second round" },
    delete: { label: "Yes or no", description: "Delete files? With a deadline and a default" },
    deploy: { label: "No way back", description: "An irreversible step that needs confirmation" },
    batch: { label: "Four at once", description: "A batch of four questions" },
    parallel: { label: "Two at once", description: "Two asks open at the same time" },
    failure: { label: "A failing tool", description: "A tool call that goes wrong" },
    long: { label: "A long answer", description: "Code and a table" },
  },
};

const zh: Words = {
  hello: "你好！我是演示智能体，不需要密钥，也不需要网络。你选什么，我就做什么。",
  thinking: "用户想了解问答是怎样进行的。我先给出几个选项，再照他的选择去做。",
  choose: {
    header: "选择功能",
    question: "请选择一个功能",
    again: "请再次选择一个功能",
    poem: { label: "背唐诗", description: "背诵一首经典唐诗" },
    joke: { label: "讲笑话", description: "讲一个有趣的笑话" },
    smiley: { label: "输出笑脸图标", description: "输出一个笑脸表情" },
    more: { label: "再给一个多选框", description: "还是这些选项，继续体验多轮对话" },
  },
  onceMore: "好的，我再弹出一个同样的多选框。",
  atLimit: "这一轮里我提问的次数已到上限，先到这里。发一条消息重新开始，或者允许我继续提问。",
  doing: {
    poem: "正在执行：背诵唐诗……",
    joke: "正在执行：讲笑话……",
    smiley: "给你一个笑脸：",
    other: (text) => `你写的是“${text}”。这个我做不到，不过我记下了。`,
    nothing: "那我什么也不做，也挺好。",
  },
  poem: "床前明月光，\n疑是地上霜。\n举头望明月，\n低头思故乡。",
  joke: "智能体为什么等了一整夜？因为有人说“五分钟后回复”，它信了。",
  done: "就是这些。说“菜单”，看看我还能演示什么。",
  noted: (text) => `记下了：${text}。`,
  replied: (text) => `你没有选择，而是回复了“${text}”。真正的智能体会据此继续。`,
  cancelled: (reason) => `问题被取消了（${reason}），我在没有答案的情况下继续。`,
  menu: { question: "想看哪一个演示？", intro: "每一个都展示提问的另一面。" },
  scenarios: {
    poem: { label: "多轮对话", description: "唐诗、笑话、笑脸，再来一次" },
    auth: { label: "条件追问", description: "身份验证问卷，两级追问" },
    port: { label: "自由文本", description: "端口号，会检查，错了再问一轮" },
    delete: { label: "是或否", description: "删除文件？有期限，有默认值" },
    deploy: { label: "无法撤销", description: "不可逆的操作，需要再次确认" },
    batch: { label: "一次四问", description: "一批四个问题" },
    parallel: { label: "两问并行", description: "同时有两个问题等待回答" },
    failure: { label: "工具出错", description: "一次失败的工具调用" },
    long: { label: "长回答", description: "代码和表格" },
  },
};

const ja: Words = {
  hello: "こんにちは！デモエージェントです。API キーもネットワークも要りません。選んでいただいたことをします。",
  thinking: "質問の仕組みを見たいようだ。いくつか選択肢を出して、選ばれたことをしよう。",
  choose: {
    header: "機能の選択",
    question: "機能を選んでください",
    again: "もう一度、機能を選んでください",
    poem: { label: "詩を詠む", description: "短い句を一つ" },
    joke: { label: "冗談を言う", description: "開発者なら分かる話" },
    smiley: { label: "笑顔を出す", description: "笑顔の絵文字" },
    more: { label: "もう一度選ぶ", description: "同じ選択肢で、複数ラウンドを体験" },
  },
  onceMore: "では、同じ選択肢でもう一度お聞きします。",
  atLimit: "一回のターンで聞ける回数に達したので、ここまでにします。メッセージを送るか、続きを許可してください。",
  doing: {
    poem: "実行中：詩を詠みます……",
    joke: "実行中：冗談を言います……",
    smiley: "笑顔をどうぞ：",
    other: (text) => `「${text}」ですね。それはできませんが、承りました。`,
    nothing: "では何もしません。それもよいでしょう。",
  },
  poem: "古池や\n蛙飛びこむ\n水の音",
  joke: "エージェントはなぜ一晩中待っていたのか。「五分で答える」と言われて、信じたから。",
  done: "以上です。「メニュー」と言えば、ほかの例もお見せします。",
  noted: (text) => `承りました：${text}。`,
  replied: (text) =>
    `選択の代わりに「${text}」という返信をいただきました。本物のエージェントなら、これに沿って進めます。`,
  cancelled: (reason) => `質問は取り消されました（${reason}）。答えなしで続けます。`,
  menu: { question: "どれをお見せしましょうか？", intro: "それぞれ、質問の別の面をお見せします。" },
  scenarios: {
    poem: { label: "複数ラウンド", description: "詩、冗談、笑顔、もう一度" },
    auth: { label: "追加の質問", description: "認証のアンケート、二段階" },
    port: { label: "自由入力", description: "ポート番号。確認して、誤りならもう一度" },
    delete: { label: "はい・いいえ", description: "削除しますか？期限と既定値つき" },
    deploy: { label: "元に戻せない操作", description: "もう一度確認してから実行" },
    batch: { label: "四つ同時", description: "四つの質問を一度に" },
    parallel: { label: "二つ並行", description: "二つの質問を同時に" },
    failure: { label: "失敗する道具", description: "うまくいかないツール呼び出し" },
    long: { label: "長い答え", description: "コードと表" },
  },
};

export const WORDS: Record<Language, Words> = { en, zh, ja };
