/*
 * The types of columns that several tables of the accounts database have.
 */

/** ISO 8601 in UTC with milliseconds, as `Date.toISOString` formats it, so that it sorts as text. */
export type Timestamp = string

/** A boolean in an integer column. */
export type Flag = 0 | 1
