/** Whether a question is too long for a title. It is then set as text, with its own lines, and cut to eight of them. */
export const isEssay = (text: string): boolean => text.length > 160;

export const ESSAY = "text-base whitespace-pre-line";
