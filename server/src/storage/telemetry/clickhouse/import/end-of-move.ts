/** The piece that a move of a data folder records at its end, when the database has everything. */
export const endOfMove = 'end'
