/** One line of the report. `agent` marks checks of agents, which are optional. */
export type Check = { name: string; ok: boolean; says: string; agent?: true };
