import type { DangerousPart } from './dangerous-commands.ts'

/*
 * SQL that drops tables, or changes all rows of one. Statements are split here instead of by a parser, because a parser
 * rejects dialects that it does not support, and a rejected statement would pass.
 */

const statementsMax = 500

export function findDangerousSql(text: string): readonly DangerousPart[] {
  const plain = withoutLiterals(text.slice(0, 100_000))
  const found: DangerousPart[] = []
  let start = 0
  for (const statement of plain.split(';').slice(0, statementsMax)) {
    const part = inStatement(statement)
    if (part !== undefined) {
      const at = start + part.offset
      found.push({ what: part.what, start: at, end: Math.min(start + statement.length, at + 200) })
    }
    start += statement.length + 1
  }
  return found
}

/** Literals and comments become spaces of the same length, so that positions stay. A `where` in them does not count. */
function withoutLiterals(text: string): string {
  return text.replace(
    /'(?:[^'\\]|''|\\.){0,10000}'|--[^\n]{0,10000}|\/\*[\s\S]{0,10000}?\*\//g,
    (literal) => literal.replace(/[^\n]/g, ' '),
  )
}

const name = String.raw`["\x60[]?[\w.]{1,128}["\x60\]]?`
const openings = [
  {
    what: 'drops data with SQL',
    isLimited: false,
    pattern:
      /\b(?:drop[ \t]+(?:table|database|schema|tablespace)|truncate[ \t]+table)[ \t]+["`[]?\w/i,
  },
  {
    what: 'deletes all rows of a table',
    isLimited: true,
    pattern: new RegExp(
      String.raw`(?:^|["'\x60(\n])\s{0,20}delete\s{1,20}from\s{1,20}(?:only\s{1,20})?${name}(?=\s{0,20}(?:$|["'\x60)]|where\b|limit\b|using\b|returning\b|as\b))`,
      'i',
    ),
  },
  {
    what: 'updates all rows of a table',
    isLimited: true,
    pattern: new RegExp(
      String.raw`(?:^|["'\x60(\n])\s{0,20}update\s{1,20}(?:only\s{1,20})?${name}\s{1,20}(?:(?:as\s{1,20})?\w{1,60}\s{1,20})?set\s`,
      'i',
    ),
  },
]

function inStatement(statement: string): { what: string; offset: number } | undefined {
  for (const { what, isLimited, pattern } of openings) {
    const match = pattern.exec(statement)
    if (match === null) continue
    const rest = statement.slice(match.index)
    if (isLimited && /\b(?:where|limit|using|join|current\s+of)\b/i.test(rest)) continue
    return { what, offset: match.index + (match[0].length - match[0].trimStart().length) }
  }
  return undefined
}
