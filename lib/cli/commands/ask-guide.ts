// What an agent must know to ask from a shell. It may have no other documentation.

const INPUT = `INPUT
  {
    "questions": [                 1 to 4 questions
      {
        "question": string,        the whole question with its "?", max 500
        "header": string,          a short label, max 12 characters
        "multiSelect": boolean,    true: several options may be chosen
        "options": [               2 to 4 options
          {
            "label": string,       1 to 5 words, max 50 characters
            "description": string  what it means, max 200 characters
          }
        ]
      }
    ]
  }
  Every field is required. Each question needs its own header: its answer
  is named after it. ASK_MAX_QUESTIONS, ASK_MAX_OPTIONS, ASK_HEADER_MAX_LENGTH
  and ASK_QUESTION_MAX_LENGTH change the limits.`;

const OUTPUT = `OUTPUT
  One line of JSON on stdout, with the label that was chosen for each header.
  Several labels are joined by ", ":
    {"answers":{"Database":"PostgreSQL","Features":"Caching, Logging"}}
  An answer in the person's own words:
    {"answers":{"Database":"Other (custom: MySQL, we know it best)"}}
  Everything else is on stderr. Without an answer stdout is empty.`;

const ADVICE = `NOTES
  - "Other" is always offered. Do not add such an option yourself.
  - Put the option that you recommend first and add "(Recommended)" to its
    label.
  - Use "multiSelect": true where the options do not exclude each other.

WHEN TO USE
  - You need a preference or a requirement that only the person knows.
  - An instruction can be understood in more than one way.
  - A choice about the implementation is theirs to make.
  - The work can go in several directions, and they should say in which.

WHEN NOT TO USE
  - The person has already said it.
  - There is a sensible default: use it, and say that you did.
  - It is a detail that the person does not need to know about.`;

const examples = (command: string) => `EXAMPLES
  ${command} '{"questions":[{"question":"Which database should we use?",
    "header":"Database","multiSelect":false,"options":[
    {"label":"PostgreSQL (Recommended)","description":"Runs on a server"},
    {"label":"SQLite","description":"Lives in one file"}]}]}'
  # {"answers":{"Database":"PostgreSQL (Recommended)"}}

  ${command} '{"questions":[{"question":"Which features should be on?",
    "header":"Features","multiSelect":true,"options":[
    {"label":"Caching","description":"Keep results in Redis"},
    {"label":"Logging","description":"Write JSON logs"}]}]}'
  # {"answers":{"Features":"Caching, Logging"}}`;

/** Follows the usage and the options of `parley ask`. */
export const ASK_GUIDE = [
  INPUT,
  `OTHER INPUT
  Also every other shape of POST /api/asks, for text, yes or no, and follow-ups:
    parley ask '{"question":"Which port should it listen on?"}'
  prints {"question_id":"…","answer":"8080"}.`,
  OUTPUT,
  `REPLIES
  A person may reply in words instead of choosing. The words are then in
  "response" (for other shapes: "message"), and as Other in each answer:
    {"answers":{"Database":"Other (custom: Why not MySQL?)"},
     "response":"Why not MySQL?","replied":true}`,
  `EXIT CODES
  0 answered or replied to, 1 bad input, 2 cancelled or left open, 3 timed out
  (defaults, if there are any, are printed with "nobody_answered"), 4 Parley is
  not reachable, 5 not signed in, 6 a limit is reached: nothing was asked, and
  stderr says when to ask again`,
  ADVICE,
  examples("parley ask"),
].join("\n\n");

/** All of `AskUserQuestion --help`. */
export const SHELL_HELP = `${[
  `Usage: AskUserQuestion '<json>'
Ask the person at this terminal and print the answers as JSON.`,
  INPUT,
  OUTPUT,
  `EXIT CODES
  0 answered, 1 bad input, 2 cancelled, or the input ended too early`,
  ADVICE,
  examples("AskUserQuestion"),
].join("\n\n")}\n`;
