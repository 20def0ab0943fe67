import { beforeAll, describe, expect, test } from "vitest";
import { buildCli, KEY, run, sit } from "../test-cli.ts";

beforeAll(buildCli);

const option = (label: string) => ({ label, description: `About ${label}` });
const DATABASE = {
  question: "Which database?",
  header: "Database",
  options: [option("PostgreSQL"), option("MongoDB"), option("SQLite")],
  multiSelect: false,
};
const FEATURES = { ...DATABASE, question: "Which features?", header: "Features", multiSelect: true };
const asked = (...questions: object[]) => JSON.stringify({ questions });
const ask = (json: string, input: string, env: Record<string, string> = {}) =>
  run([json], { as: "AskUserQuestion", input, env });
const answers = (given: Record<string, string>) => ({ code: 0, stdout: `${JSON.stringify({ answers: given })}\n` });
const refused = async (json: string, text: string, env: Record<string, string> = {}) =>
  expect(await ask(json, "1\n", env)).toEqual({ code: 1, stdout: "", stderr: `${text}\n` });
const invalid = (...problems: string[]) =>
  ["Error: Validation failed", ...problems.map((one) => `- ${one}`)].join("\n");

describe("AskUserQuestion with lines on stdin: the eighteen cases", () => {
  test("1 one question, one choice", async () => {
    const ran = await ask(asked(DATABASE), "2\n");
    expect(ran).toMatchObject(answers({ Database: "MongoDB" }));
    expect(ran.stderr).toContain("│  2. MongoDB\n│     About MongoDB\n");
    expect(ran.stderr).toContain("│  0. Other (custom input)");
    expect(ran.stderr).toContain("Enter number or 0 for custom: ");
  });
  test("2 one question, several choices", async () => {
    const ran = await ask(asked(FEATURES), "1,2\n");
    expect(ran).toMatchObject(answers({ Features: "PostgreSQL, MongoDB" }));
    expect(ran.stderr).toContain("Enter numbers (e.g., 1,3) or 0 for custom: ");
  });
  test("3 several questions, one after another, each under its round", async () => {
    const ran = await ask(asked(DATABASE, FEATURES), "1\n2,3\n");
    expect(ran).toMatchObject(answers({ Database: "PostgreSQL", Features: "MongoDB, SQLite" }));
    expect(ran.stderr).toMatch(/Round 1\/2\n[\s\S]*Which database[\s\S]*Round 2\/2\n[\s\S]*Which features/);
  });
  test("4 Other", async () => {
    expect(await ask(asked(DATABASE), "0\nMySQL 九\n")).toMatchObject(
      answers({ Database: "Other (custom: MySQL 九)" }),
    );
  });
  test("5 input that is not JSON", () =>
    refused('{"questions":', `Error: Invalid JSON format\nUsage: AskUserQuestion '{"questions":[...]}'`));
  test("6 missing fields, each with its path", async () => {
    await refused(
      asked({}),
      invalid(
        "questions[0].question: Required",
        "questions[0].header: Required",
        "questions[0].options: Required",
        "questions[0].multiSelect: Required",
      ),
    );
    await refused("{}", invalid("questions: Required"));
    await refused("[]", invalid("Expected object, received array"));
  });
  test("7 no question", () => refused(asked(), invalid("questions: Array must contain at least 1 element(s)")));
  test("8 more than four questions", () =>
    refused(
      asked(DATABASE, DATABASE, DATABASE, DATABASE, DATABASE),
      invalid("questions: Array must contain at most 4 element(s)"),
    ));
  test("9 fewer than two options, together with every other problem", () =>
    refused(
      asked({ question: "Q?", header: "a header too long", options: [option("A")] }),
      invalid(
        "questions[0].header: String must contain at most 12 character(s)",
        "questions[0].options: Array must contain at least 2 element(s)",
        "questions[0].multiSelect: Required",
      ),
    ));
  test("10 more than four options", () =>
    refused(
      asked({ ...DATABASE, options: ["A", "B", "C", "D", "E"].map(option) }),
      invalid("questions[0].options: Array must contain at most 4 element(s)"),
    ));
  test("11 a header of more than 12 characters, as a person counts them", async () => {
    await refused(
      asked({ ...DATABASE, header: "一二三四五六七八九十百千万" }),
      invalid("questions[0].header: String must contain at most 12 character(s)"),
    );
    const header = "一二三四五六七八九十百千";
    expect(await ask(asked({ ...DATABASE, header }), "1\n")).toMatchObject(answers({ [header]: "PostgreSQL" }));
  });
  test("12 a question of more than 500 characters", () =>
    refused(
      asked({ ...DATABASE, question: "q".repeat(501) }),
      invalid("questions[0].question: String must contain at most 500 character(s)"),
    ));
  test.each(["9", "-1", "abc", "１"])("13 a number out of range, %s: the first option, with a notice", async (line) => {
    const ran = await ask(asked(DATABASE), `${line}\n`);
    expect(ran).toMatchObject(answers({ Database: "PostgreSQL" }));
    expect(ran.stderr).toContain(`${line} is not on the list: the first option is taken, PostgreSQL.`);
  });
  test("14 an empty line: the same", async () => {
    const ran = await ask(asked(DATABASE), "\n");
    expect(ran).toMatchObject(answers({ Database: "PostgreSQL" }));
    expect(ran.stderr).toContain("Nothing was entered: the first option is taken, PostgreSQL.");
  });
  test("15 a number", async () => {
    expect(await ask(asked(DATABASE), " 1 \n")).toMatchObject(answers({ Database: "PostgreSQL" }));
    expect(await ask(asked(DATABASE), "2,3\n")).toMatchObject(answers({ Database: "MongoDB" }));
  });
  test("16 several numbers", async () => {
    expect(await ask(asked(FEATURES), "3, 1,3\n")).toMatchObject(answers({ Features: "PostgreSQL, SQLite" }));
  });
  test.each(["0", "other", "OTHER"])("17 %s asks for the person's own words", async (line) => {
    const ran = await ask(asked(FEATURES), `${line}\nRedis\n`);
    expect(ran).toMatchObject(answers({ Features: "Other (custom: Redis)" }));
    expect(ran.stderr).toContain("Enter your answer: ");
  });
  test("18 no words of their own: the first option, with a notice", async () => {
    const ran = await ask(asked(DATABASE), "0\n\n");
    expect(ran).toMatchObject(answers({ Database: "PostgreSQL" }));
    expect(ran.stderr).toContain("Nothing was entered: the first option is taken, PostgreSQL.");
  });
});

describe("AskUserQuestion", () => {
  test("prints its usage without an argument", async () => {
    const refusal = (command: string) => ({
      code: 1,
      stdout: "",
      stderr: `Error: Missing JSON parameter\nUsage: ${command} '{"questions":[...]}'\n`,
    });
    for (const args of [[], [""], [" "]]) {
      expect(await run(args, { as: "AskUserQuestion" })).toEqual(refusal("AskUserQuestion"));
    }
    expect(await run(["ask", "--local"])).toEqual(refusal("parley ask"));
  });

  test("reads its limits from four variables, and ignores all other settings", async () => {
    const env = {
      ASK_MAX_QUESTIONS: "1",
      ASK_MAX_OPTIONS: "2",
      ASK_HEADER_MAX_LENGTH: "3",
      ASK_QUESTION_MAX_LENGTH: "5",
    };
    await refused(
      asked(DATABASE),
      invalid(
        "questions[0].question: String must contain at most 5 character(s)",
        "questions[0].header: String must contain at most 3 character(s)",
        "questions[0].options: Array must contain at most 2 element(s)",
      ),
      { ...env, HOST: "0.0.0.0", PORT: "nonsense" },
    );
    await refused(asked(DATABASE, DATABASE), invalid("questions: Array must contain at most 1 element(s)"), env);
    const wide = { ASK_MAX_OPTIONS: "5" };
    const five = { ...DATABASE, options: ["A", "B", "C", "D", "E"].map(option) };
    expect(await ask(asked(five), "5\n", wide)).toMatchObject(answers({ Database: "E" }));
  });

  test("refuses two questions with the same header, because one of the answers would be lost", () =>
    refused(
      asked(DATABASE, { ...FEATURES, header: "Database" }),
      invalid(
        'questions[1].header: another question has the header "Database" too; answers are named by header, so give each question its own',
      ),
    ));

  test("does not take input that ends too early for an answer", async () => {
    const ran = await ask(asked(DATABASE, FEATURES), "1\n");
    expect(ran).toMatchObject({ code: 2, stdout: "" });
    expect(ran.stderr).toContain("Cancelled. The input ended before every question was answered.");
  });

  test("is also called parley ask --local", async () => {
    const ran = await run(["ask", "--local", asked(DATABASE)], { input: "3\n" });
    expect(ran).toMatchObject(answers({ Database: "SQLite" }));
  });
});

describe("AskUserQuestion at a terminal", () => {
  const sitting = (...questions: object[]) => sit([asked(...questions)], { as: "AskUserQuestion" });

  test("chooses by arrow keys and Enter, then by numbers", async () => {
    const person = sitting(DATABASE, { ...DATABASE, header: "Second", question: "次はどれですか？" });
    await person.sees("Round 1/2 · Database");
    await person.sees("Which database?");
    await person.press(KEY.down, KEY.enter);
    await person.sees("次はどれですか？");
    await person.press("3", KEY.enter);
    expect(await person.ended).toMatchObject(answers({ Database: "MongoDB", Second: "SQLite" }));
  });

  test("marks several by space and numbers, and needs at least one", async () => {
    const person = sitting(FEATURES);
    await person.sees("Which features?");
    await person.press(KEY.enter);
    await person.sees("Choose at least one");
    await person.press(KEY.space, "3", KEY.enter);
    expect(await person.ended).toMatchObject(answers({ Features: "PostgreSQL, SQLite" }));
  });

  test("accepts several lines for Other, in any script", async () => {
    const person = sitting(DATABASE);
    await person.sees("Which database?");
    await person.sees("4. Other");
    await person.press("0", KEY.enter);
    await person.sees("twice confirms");
    await person.press(
      "第一行",
      "𠮷",
      "x😀",
      KEY.enter,
      "二行目です。",
      "。",
      "\x7f",
      "😀",
      "\x7f",
      KEY.enter,
      KEY.enter,
    );
    expect(await person.ended).toMatchObject(answers({ Database: "Other (custom: 第一行𠮷x😀\n二行目です。)" }));
  });

  test("Other has the number that it has in the browser, with keys and line by line", async () => {
    const person = sitting(DATABASE);
    await person.sees("4. Other");
    await person.press("4", KEY.enter);
    await person.sees("twice confirms");
    await person.press("MySQL", KEY.enter, KEY.enter);
    expect(await person.ended).toMatchObject(answers({ Database: "Other (custom: MySQL)" }));
    for (const number of ["4", "0", "other", "Other"])
      expect(await ask(asked(DATABASE), `${number}\nMySQL\n`)).toMatchObject(
        answers({ Database: "Other (custom: MySQL)" }),
      );
  });

  test("wraps Chinese text between characters, never inside one", async () => {
    const question = "请选择一个您希望在这个项目中使用的数据库，".repeat(4).slice(0, 80);
    const person = sitting({ ...DATABASE, question });
    await person.sees("PostgreSQL");
    const rows = person
      .screen()
      .split(/\r?\n/)
      .filter((row) => /[请选择库]/.test(row));
    expect(rows.length).toBeGreaterThan(1);
    for (const row of rows) expect([...row.replace(/[^\u4e00-\u9fff，]/g, "")].length * 2 + 3).toBeLessThanOrEqual(60);
    expect(person.screen().replace(/[^\u4e00-\u9fff，]/g, "")).toContain(question);
    await person.press(KEY.enter);
    expect(await person.ended).toMatchObject({ code: 0 });
  });

  test.each(["escape", "interrupt"] as const)("asks before it quits on %s", async (key) => {
    const person = sitting(DATABASE);
    await person.sees("Which database?");
    await person.press(KEY[key]);
    await person.sees("Leave without an answer?");
    await person.press(KEY.enter);
    await person.sees("Which database?");
    await person.press(KEY[key]);
    await person.sees("Leave without an answer?");
    await person.press("2", KEY.enter);
    expect(await person.ended).toMatchObject({ code: 2, stdout: "" });
  });

  test.each([
    [{ NO_COLOR: "1" }, false],
    [{}, true],
  ])("with %o, uses colours: %s", async (env, coloured) => {
    const person = sit([asked(DATABASE)], { as: "AskUserQuestion", env, together: true });
    await person.sees("Which database?");
    await person.press(KEY.enter);
    expect((await person.ended).code).toBe(0);
    expect(/\x1b\[[\d;]*m/.test(person.raw())).toBe(coloured);
  });
});
