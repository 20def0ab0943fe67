/** One line of what the doctor found. `agent`: about an agent, which nobody has to have. */
export type Check = { name: string; ok: boolean; says: string; agent?: true };
