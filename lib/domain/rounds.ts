import { ParleyError } from "../protocol/errors.ts";

/** "Round 2 of 3": what the agent said, but never less than what there is. */
export function totalRounds(said: number | null, current: number): number {
  return Math.max(said ?? 0, current);
}

export function depthExceeded(session_id: string, limit: number): ParleyError {
  return new ParleyError(
    "recursive_limit_exceeded",
    `This turn has asked ${limit} times, which is its limit. Finish with what you know, or hand back to the person; they can allow more.`,
    { session_id, limit },
  );
}
