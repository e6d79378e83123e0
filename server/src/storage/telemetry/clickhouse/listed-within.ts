/**
 * From the time that a process takes for a change of a trace, by its own clock, until its row is stored
 * (port/settling.ts).
 */
export const listedWithinMs = 3000
